package dev.postcommit.server;

import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What an operator can do to dead events. */
public enum DeadChange {
  /** Makes them pending again. */
  REPLAY("replay", "replayed", false) {
    @Override
    public int apply(OutboxAdmin admin, DeadFilter filter, Decision decision) {
      return admin.replay(filter, decision);
    }
  },
  /** Deletes them. */
  DISCARD("discard", "discarded", true) {
    @Override
    public int apply(OutboxAdmin admin, DeadFilter filter, Decision decision) {
      return admin.discard(filter, decision);
    }
  };

  private final String verb;
  private final String done;
  private final boolean needsReason;

  DeadChange(String verb, String done, boolean needsReason) {
    this.verb = verb;
    this.done = done;
    this.needsReason = needsReason;
  }

  /** What is done, as replay. */
  public String verb() {
    return verb;
  }

  /** What was done, as replayed. */
  public String done() {
    return done;
  }

  /** Whether the audit table must be told why. */
  public boolean needsReason() {
    return needsReason;
  }

  /** Changes the events and says how many of them were dead. */
  public abstract int apply(OutboxAdmin admin, DeadFilter filter, Decision decision);

  /**
   * The ids of the events that are meant and dead now.
   *
   * @param ids those that were named one by one
   * @param place where the table is
   * @throws Failure if one of {@code ids} is not among them
   */
  public List<String> choose(
      OutboxAdmin admin, DeadFilter filter, Collection<String> ids, String place) {
    List<String> chosen = admin.deadIds(ids.isEmpty() ? filter : filter.withIds(ids));
    Set<String> dead = new HashSet<>(chosen);
    for (String id : ids) {
      if (!dead.contains(id) && !dead.contains(id.toLowerCase(Locale.ROOT))) {
        throw new Failure("no dead event " + id + " in " + place + "; nothing was " + done);
      }
    }
    return chosen;
  }
}
