package dev.postcommit.internal.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.relay.StandbyWait.End;
import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.relay.Delivery;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import dev.postcommit.support.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes one batch after the other from claim to settlement. Several lanes overlap their waits. */
final class Lane implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Lane.class);

  private static final Duration LOOK_UP = Duration.ofMillis(200);

  /** How much longer than its own timeout a publisher may take before it is thought to hang. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

  private final RelayContext context;
  private final Poller poller;
  private final LeaseKeeper keeper;
  private final Settling settling;
  private final @Nullable Transactions transactions;
  private final @Nullable StandbyWait standbys;

  /**
   * A lane.
   *
   * @param transactions takes claims of a log whose checkpoint the broker keeps; null for others
   * @param standbys holds batches back until standbys have them; null if nothing does
   */
  Lane(
      RelayContext context,
      Poller poller,
      LeaseKeeper keeper,
      @Nullable Transactions transactions,
      @Nullable StandbyWait standbys) {
    this.context = context;
    this.poller = poller;
    this.keeper = keeper;
    this.settling = new Settling(context);
    this.transactions = transactions;
    this.standbys = standbys;
  }

  /** Ends when the relay is closed, and before that only if the virtual machine is in trouble. */
  @Override
  public void run() {
    Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = next();
        backoff.reset();
      } catch (InterruptedException e) {
        // Only the relay itself may end its lanes.
        goesOn = !context.shutdown().hasBegun();
      } catch (RuntimeException | Error e) {
        log.error("a lane of the relay failed", e);
        goesOn = !Fatal.is(e) && rested(backoff);
      }
    }
  }

  /** Waits a little; returns whether that was not disturbed by a shutdown. */
  private boolean rested(Backoff backoff) {
    try {
      context.shutdown().sleep(backoff.nextNanos());
      return true;
    } catch (InterruptedException e) {
      return !context.shutdown().hasBegun();
    }
  }

  /** Takes the next batch to its settlement; returns false once there will be none. */
  private boolean next() throws InterruptedException {
    Batch batch = poller.next();
    if (batch == null) {
      return false;
    }
    keeper.add(batch);
    try {
      End wait = standbys == null ? End.REPLICATED : standbys.await(batch);
      if (wait != End.REPLICATED) {
        withhold(batch, wait);
      } else if (transactions != null && transactions.isFor(batch)) {
        transactions.process(batch);
      } else {
        process(batch);
      }
    } catch (RuntimeException | Error e) {
      Fatal.rethrow(e);
      log.error("a batch of {} events failed; they are delivered again", batch.events().size(), e);
    } finally {
      keeper.remove(batch);
      poller.settled(batch);
    }
    if (context.topics().release()) {
      poller.wakeUp();
    }
    return true;
  }

  /** Gives back a batch that may not be sent now. */
  private void withhold(Batch batch, End wait) throws InterruptedException {
    if (!batch.isHeld() || (wait == End.OTHER_RUN && !renews(batch))) {
      log.info("{} events were not sent before their lease ended", batch.events().size());
      context.listener().leaseLost(batch.events().size());
    } else if (transactions != null && transactions.isFor(batch)) {
      transactions.withhold(batch);
    } else {
      settling.giveBack(batch);
    }
  }

  /**
   * Whether the database that is there now knows of a claim. If it does not, what was read along
   * with it is forgotten, and would otherwise be taken again.
   */
  private boolean renews(Batch batch) {
    try {
      context.store().renew(batch.claim(), context.config().lease());
      return true;
    } catch (LeaseLostException e) {
      return false;
    } catch (PostcommitException e) {
      log.debug("could not renew a lease", e);
      return true;
    }
  }

  private void process(Batch batch) throws InterruptedException {
    BatchSender sender = new BatchSender(batch, context);
    EventLog.claimed(batch.events());
    try {
      context.handover().readLock().lockInterruptibly();
      try {
        sender.send();
      } finally {
        context.handover().readLock().unlock();
      }
      await(batch, sender);
    } finally {
      sender.cancel();
      if (batch.isHeld()) {
        settling.settle(batch, outcomes(batch, sender));
      } else {
        settling.giveUp(batch);
      }
    }
  }

  private void await(Batch batch, BatchSender sender) throws InterruptedException {
    Duration patience = context.publisher().deliveryTimeout().plus(GRACE);
    while (!sender.await(LOOK_UP) && batch.isHeld()) {
      if (context.shutdown().isOverdue() || sender.idle().compareTo(patience) > 0) {
        return;
      }
    }
  }

  private List<Outcome> outcomes(Batch batch, BatchSender sender) {
    OutcomeMapping mapping = new OutcomeMapping(context, batch);
    List<Outcome> outcomes = new ArrayList<>(batch.events().size());
    for (int i = 0; i < batch.events().size(); i++) {
      @Nullable Delivery delivery = sender.delivery(i);
      outcomes.add(mapping.outcome(batch.events().get(i), sender.topic(i), delivery));
      if (delivery instanceof Delivery.TopicUnavailable refused && refused.cause() != null) {
        poller.broker().askAgain();
      }
    }
    mapping.log();
    if (outcomes.stream().anyMatch(Outcome.Delivered.class::isInstance)) {
      poller.broker().accepted();
    }
    return outcomes;
  }
}
