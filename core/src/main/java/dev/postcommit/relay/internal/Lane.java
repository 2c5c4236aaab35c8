package dev.postcommit.relay.internal;

import dev.postcommit.internal.Backoff;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.Retryable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
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

  private final OutboxStore store;
  private final Publisher publisher;
  private final RelayListener listener;
  private final RelayConfig config;
  private final Availability broker;
  private final Availability database;
  private final Shutdown shutdown;
  private final Parts parts;
  private final Poller poller;
  private final LeaseKeeper keeper;

  Lane(Parts parts, Poller poller, LeaseKeeper keeper) {
    this.store = parts.store();
    this.publisher = parts.publisher();
    this.listener = parts.listener();
    this.config = parts.config();
    this.broker = parts.broker();
    this.database = parts.database();
    this.shutdown = parts.shutdown();
    this.parts = parts;
    this.poller = poller;
    this.keeper = keeper;
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
        goesOn = !shutdown.hasBegun();
      } catch (RuntimeException | Error e) {
        log.error("a lane of the relay failed", e);
        goesOn = !Fatal.is(e) && rested(backoff);
      }
    }
  }

  /** Waits a little; returns whether that was not disturbed by a shutdown. */
  private boolean rested(Backoff backoff) {
    try {
      shutdown.sleep(backoff.nextNanos());
      return true;
    } catch (InterruptedException e) {
      return !shutdown.hasBegun();
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
      process(batch);
    } catch (RuntimeException | Error e) {
      Fatal.rethrow(e);
      log.error("a batch of {} events failed; they are delivered again", batch.events().size(), e);
    } finally {
      keeper.remove(batch);
      poller.wakeUp();
    }
    return true;
  }

  private void process(Batch batch) throws InterruptedException {
    Shipment shipment = new Shipment(batch, parts);
    EventLog.claimed(batch.events());
    try {
      parts.handover().readLock().lockInterruptibly();
      try {
        shipment.send();
      } finally {
        parts.handover().readLock().unlock();
      }
      await(batch, shipment);
    } finally {
      shipment.cancel();
      if (batch.isHeld()) {
        settle(batch, outcomes(batch, shipment));
      } else {
        giveUp(batch);
      }
    }
  }

  private void giveUp(Batch batch) {
    log.warn(
        "could not settle {} events before their lease ended; they are delivered again",
        batch.events().size());
    EventLog.lost(batch.events());
    listener.leaseLost(batch.events().size());
  }

  private void await(Batch batch, Shipment shipment) throws InterruptedException {
    Duration patience = publisher.deliveryTimeout().plus(GRACE);
    while (!shipment.await(LOOK_UP) && batch.isHeld()) {
      if (shutdown.isOverdue() || shipment.idle().compareTo(patience) > 0) {
        return;
      }
    }
  }

  private List<Outcome> outcomes(Batch batch, Shipment shipment) {
    List<Outcome> outcomes = new ArrayList<>(batch.events().size());
    Failures failures = new Failures();
    for (int i = 0; i < batch.events().size(); i++) {
      outcomes.add(outcome(batch.events().get(i), shipment.delivery(i), failures));
    }
    failures.log();
    if (outcomes.stream().anyMatch(Outcome.Delivered.class::isInstance)) {
      poller.brokerTook();
    }
    return outcomes;
  }

  private Outcome outcome(StoredEvent event, @Nullable Delivery delivery, Failures failures) {
    if (delivery instanceof Delivered) {
      EventLog.delivered(event);
      return new Outcome.Delivered(event.id());
    }
    if (delivery instanceof HeldBack) {
      return released(event);
    }
    if (delivery instanceof Unavailable unavailable) {
      broker.lost(unavailable.reason());
      return released(event);
    }
    if (delivery instanceof Rejected rejected) {
      return dead(event, rejected.reason(), rejected.cause());
    }
    if (delivery instanceof Retryable retryable) {
      return failed(event, retryable.reason(), retryable.cause(), failures);
    }
    if (shutdown.isOverdue()) {
      return released(event);
    }
    return failed(
        event,
        "the publisher did not answer within " + publisher.deliveryTimeout(),
        null,
        failures);
  }

  private static Outcome released(StoredEvent event) {
    EventLog.released(event);
    return new Outcome.Released(event.id());
  }

  private Outcome failed(
      StoredEvent event, String reason, @Nullable Throwable cause, Failures failures) {
    Optional<Duration> delay =
        config.retryPolicy(event.type()).delayAfter(event.attempt(), ThreadLocalRandom.current());
    if (delay.isEmpty()) {
      return dead(event, "gave up after " + event.attempt() + " attempts: " + reason, cause);
    }
    failures.add(event, reason, delay.get());
    listener.retrying(event, reason, delay.get());
    return new Outcome.Retry(event.id(), reason, delay.get());
  }

  private Outcome dead(StoredEvent event, String reason, @Nullable Throwable cause) {
    EventLog.dead(event, reason, cause);
    listener.dead(event, reason);
    return new Outcome.Dead(event.id(), reason);
  }

  /** Records the outcomes, for as long as the lease lasts. */
  private void settle(Batch batch, List<Outcome> outcomes) throws InterruptedException {
    Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
    while (batch.isHeld()) {
      long startedAt = System.nanoTime();
      try {
        store.settleSoon(batch.claim(), outcomes);
        database.regained();
        parts
            .delivered()
            .add(outcomes.stream().filter(Outcome.Delivered.class::isInstance).count());
        listener.settled(outcomes.size(), Duration.ofNanos(System.nanoTime() - startedAt));
        return;
      } catch (LeaseLostException e) {
        log.warn("{}", e.getMessage());
        EventLog.lost(batch.events());
        listener.leaseLost(outcomes.size());
        return;
      } catch (RuntimeException e) {
        database.lost(String.valueOf(e.getMessage()));
      }
      if (shutdown.isOverdue()) {
        break;
      }
      shutdown.sleep(backoff.nextNanos());
    }
    giveUp(batch);
  }
}
