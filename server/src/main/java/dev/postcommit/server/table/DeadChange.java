package dev.postcommit.server.table;

import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The actions on dead events. */
public enum DeadChange {
  /** Makes them pending again. */
  REPLAY("replay", "replayed", false) {
    @Override
    public long apply(OutboxAdmin admin, Chosen chosen, Decision decision, LongConsumer soFar) {
      return admin.replay(chosen.filter(), decision, soFar);
    }
  },
  /** Deletes them. */
  DISCARD("discard", "discarded", true) {
    @Override
    public long apply(OutboxAdmin admin, Chosen chosen, Decision decision, LongConsumer soFar) {
      return admin.discard(chosen.filter(), decision, soFar);
    }
  };

  /** The most ids that are shown unless more were given. */
  public static final int MOST_IDS = 1000;

  private final String verb;
  private final String done;
  private final boolean needsReason;

  DeadChange(String verb, String done, boolean needsReason) {
    this.verb = verb;
    this.done = done;
    this.needsReason = needsReason;
  }

  /** The verb, such as replay. */
  public String verb() {
    return verb;
  }

  /** The past participle, such as replayed. */
  public String done() {
    return done;
  }

  /** Whether a reason is required. */
  public boolean needsReason() {
    return needsReason;
  }

  /**
   * Changes the events and says how many of them were dead.
   *
   * @param soFar is told now and then how many were changed
   */
  public abstract long apply(
      OutboxAdmin admin, Chosen chosen, Decision decision, LongConsumer soFar);

  /**
   * Dead events that are meant.
   *
   * @param filter finds them
   * @param count how many there are
   * @param ids those of all of them, the oldest first; null if there are too many to be named, and
   *     were not named by the operator
   */
  public record Chosen(DeadFilter filter, long count, @Nullable List<String> ids) {}

  /**
   * The events that are meant and dead now. Up to {@value #MOST_IDS}, exactly these are changed; of
   * more, those that the filter finds then.
   *
   * @param ids those that were named one by one
   * @param place where the table is
   * @throws Failure if one of {@code ids} is not among them
   */
  public Chosen choose(OutboxAdmin admin, DeadFilter filter, Collection<String> ids, String place) {
    List<String> chosen =
        ids.isEmpty()
            ? admin.deadIds(filter, MOST_IDS + 1)
            : admin.deadIds(filter.withIds(ids), ids.size());
    if (ids.isEmpty() && chosen.size() > MOST_IDS) {
      return new Chosen(filter, admin.countDead(filter), null);
    }
    Set<String> dead = new HashSet<>(chosen);
    for (String id : ids) {
      if (!dead.contains(id) && !dead.contains(id.toLowerCase(Locale.ROOT))) {
        throw new Failure("no dead event " + id + " in " + place + "; nothing was " + done);
      }
    }
    return new Chosen(filter.withIds(chosen), chosen.size(), chosen);
  }
}
