package dev.postcommit.store;

import dev.postcommit.RetryPolicy;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.layout.Layout;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * Claims events of one table and settles what became of them.
 *
 * <p>For use without a relay: claim a batch, deliver it by any means, and {@link #ack} or {@link
 * #nack} each event. Safe for use by many threads.
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
  Claim claim(ClaimRequest request);

  /**
   * Records what became of some or all events of a claim, in one transaction; events left out stay
   * claimed. In a held lifecycle that transaction ends when the last event of the claim is settled.
   *
   * @throws LeaseLostException if any of them is no longer held under this claim; nothing is
   *     changed
   */
  void settle(Claim claim, Collection<? extends Outcome> outcomes);

  /**
   * Extends the lease of all events of the claim that are not settled to {@code lease} from now.
   *
   * @throws LeaseLostException if the claim is no longer held
   */
  void renew(Claim claim, Duration lease);

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
