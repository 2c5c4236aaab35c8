package dev.postcommit.store;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.internal.Stores;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * Claims events of one table and settles what became of them.
 *
 * <p>The relay stands on this interface, and it can be used without one: claim a batch, deliver it
 * by any means, and {@link #ack} or {@link #nack} each event. Safe for use by many threads.
 */
public interface OutboxStore extends AutoCloseable {

  /**
   * A store on a table of the given layout.
   *
   * @param worker names this claimant in the table. No two stores that are in use share one: after
   *     a failure of the database, a store gives back what is claimed in its name and not known to
   *     it
   */
  static OutboxStore of(DataSource dataSource, Layout layout, UUID worker) {
    return Stores.open(dataSource, layout, worker);
  }

  /**
   * Takes a batch of due events for the length of the lease. Events whose last permitted attempt
   * never finished become dead here. If thousands of events of busy keys come first, a claim may be
   * empty although later ones are due; ask again.
   */
  default Claim claim(ClaimRequest request) {
    Taken taken;
    Claim claim;
    do {
      taken = take(request);
      claim = taken.read();
    } while (claim.isEmpty() && taken.size() > 0);
    return claim;
  }

  /**
   * The first half of {@link #claim}: takes events, and leaves reading them for later, so that
   * another claim can be made meanwhile.
   */
  Taken take(ClaimRequest request);

  /** Events that were taken and are to be read, once. */
  interface Taken {

    /** Nothing, as nothing was due. */
    Taken NOTHING =
        new Taken() {
          @Override
          public int size() {
            return 0;
          }

          @Override
          public Claim read() {
            return Claim.EMPTY;
          }
        };

    /** How many events there are; reading may show that some, or all, were another's already. */
    int size();

    /** The claim on these events. If they cannot be read, they are given back. */
    Claim read();

    /**
     * When the lease on them began, by {@link System#nanoTime}, if that was before they were taken.
     */
    default OptionalLong leasedAt() {
      return OptionalLong.empty();
    }

    /**
     * For how long nothing of it may be given up, as another relay that is gone may have sent it
     * too: were an event made dead now, its copy could still arrive, after later ones of its key.
     */
    default Duration undecided() {
      return Duration.ZERO;
    }

    /**
     * Whether there may be more events, for now or for when others are settled; other than those
     * that {@link OutboxStore#frees} tells of.
     */
    default boolean leavesSome() {
      return true;
    }
  }

  /**
   * Records what became of some or all events of a claim, in one transaction; events left out stay
   * claimed. In a held lifecycle that transaction ends when the last event of the claim is settled.
   *
   * @throws LeaseLostException if any of them is no longer held under this claim; nothing is
   *     changed
   */
  void settle(Claim claim, Collection<? extends Outcome> outcomes);

  /**
   * As {@link #settle}, for those who go on claiming: the record may wait for a later claim or
   * settlement, some milliseconds or until nothing is left to claim. Events whose record is lost
   * with the process are delivered again.
   */
  default void settleSoon(Claim claim, Collection<? extends Outcome> outcomes) {
    settle(claim, outcomes);
  }

  /**
   * Whether events of which this store knows had to wait for a claim that is settled now, and can
   * be taken.
   */
  default boolean frees(Claim claim) {
    return false;
  }

  /** How long events are to gather before the next claim, as long as there are not many. */
  default Duration pace() {
    return Duration.ofMillis(3);
  }

  /**
   * Extends the lease of all events of the claim that are not settled to {@code lease} from now.
   *
   * @throws LeaseLostException if the claim is no longer held
   */
  void renew(Claim claim, Duration lease);

  /**
   * Gives up what it keeps between claims, so that nothing stays open while nothing is claimed;
   * claims that were made are not touched, and others may follow.
   */
  default void rest() {}

  /**
   * Gives up what it holds; events not settled are due again, at the latest when their lease ends.
   */
  @Override
  default void close() {}

  /** Records that one event of the claim was delivered. */
  default void ack(Claim claim, String id) {
    settle(claim, List.of(new Outcome.Delivered(id)));
  }

  /** Records that an attempt failed: the event is due again as {@code policy} says, or dead. */
  default void nack(Claim claim, String id, String error, RetryPolicy policy) {
    int attempt =
        claim.events().stream()
            .filter(event -> event.id().equals(id))
            .mapToInt(StoredEvent::attempt)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(id + " is not part of the claim"));
    Outcome outcome =
        policy
            .delayAfter(attempt, ThreadLocalRandom.current())
            .<Outcome>map(delay -> new Outcome.Retry(id, error, delay))
            .orElseGet(() -> new Outcome.Dead(id, error));
    settle(claim, List.of(outcome));
  }
}
