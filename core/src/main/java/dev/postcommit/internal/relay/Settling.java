package dev.postcommit.internal.relay;

import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import dev.postcommit.support.Backoff;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Records the outcomes of batches, through outages of the database. */
final class Settling {
  private static final Logger log = LoggerFactory.getLogger(Settling.class);

  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);

  private final RelayContext context;

  Settling(RelayContext context) {
    this.context = context;
  }

  /** Records the outcomes, for as long as the lease lasts; returns whether they are recorded. */
  boolean settle(Batch batch, List<? extends Outcome> outcomes) throws InterruptedException {
    boolean[] failed = {false};
    try {
      return settle(batch, outcomes, failed);
    } finally {
      if (failed[0]) {
        context.database().gaveUpSettling();
      }
    }
  }

  private boolean settle(Batch batch, List<? extends Outcome> outcomes, boolean[] failed)
      throws InterruptedException {
    Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
    while (batch.isHeld()) {
      long startedAt = System.nanoTime();
      try {
        context.store().settleSoon(batch.claim(), outcomes);
        context.database().settled(failed[0]);
        failed[0] = false;
        context
            .delivered()
            .add(outcomes.stream().filter(Outcome.Delivered.class::isInstance).count());
        context
            .listener()
            .settled(outcomes.size(), Duration.ofNanos(System.nanoTime() - startedAt));
        return true;
      } catch (LeaseLostException e) {
        // If statements fail, that was told, and is why it is lost.
        Level level = context.database().isSettlingFailing() ? Level.DEBUG : Level.WARN;
        log.atLevel(level).log("{}", e.getMessage());
        EventLog.lost(batch.events());
        context.listener().leaseLost(outcomes.size());
        return false;
      } catch (RuntimeException e) {
        context.database().failedToSettle(e, failed[0]);
        failed[0] = true;
      }
      if (context.shutdown().isOverdue()) {
        break;
      }
      context.shutdown().sleep(backoff.nextNanos());
    }
    giveUp(batch);
    return false;
  }

  /** Gives back a batch that was not sent; returns whether that is recorded. */
  boolean giveBack(Batch batch) throws InterruptedException {
    return settle(
        batch, batch.events().stream().map(event -> new Outcome.Released(event.id())).toList());
  }

  /** Reports that the outcomes of a batch are not recorded. */
  void giveUp(Batch batch) {
    log.warn(
        "could not settle {} events before their lease ended; they are delivered again",
        batch.events().size());
    EventLog.lost(batch.events());
    context.listener().leaseLost(batch.events().size());
  }
}
