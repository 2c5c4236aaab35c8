package dev.postcommit.consumer;

import dev.postcommit.consumer.internal.json.DataDecoder;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of a consumer: runs handlers, and gives each event its outcome.
 *
 * <p>An event that is to be retried holds back the later ones with the same ordering key. After
 * some time no more handlers are started, so that slow ones neither keep a transaction open nor let
 * the marks of later events expire.
 */
final class BatchRun {
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final OutcomeMapping outcomes;
  private final DataDecoder decoder;
  private final Set<Object> heldKeys = new HashSet<>();
  private long budget = LONGEST.toNanos();
  private boolean started;
  private long begin;

  BatchRun(OutcomeMapping outcomes, DataDecoder decoder) {
    this.outcomes = outcomes;
    this.decoder = decoder;
  }

  String consumer() {
    return outcomes.consumer();
  }

  /** Starts no handler later than this after the first. */
  void limit(Duration time) {
    budget = Math.min(budget, time.toNanos());
  }

  /** Whether an event may be handled; if not, later ones with its ordering key may not either. */
  boolean mayStart(PendingEvent event) {
    boolean inTime = !started || System.nanoTime() - begin < budget;
    if (inTime && !isHeld(event) && !Thread.currentThread().isInterrupted()) {
      return true;
    }
    holdKey(event);
    return false;
  }

  /** Whether an earlier event with the same ordering key has to be handled first. */
  boolean isHeld(PendingEvent event) {
    Object key = event.orderingKey();
    return key != null && heldKeys.contains(key);
  }

  private void holdKey(PendingEvent event) {
    Object key = event.orderingKey();
    if (key != null) {
      heldKeys.add(key);
    }
  }

  /** Runs the handler; returns what it threw. */
  Optional<Throwable> call(PendingEvent event, @Nullable Connection tx) {
    long called = System.nanoTime();
    if (!started) {
      started = true;
      begin = called;
    }
    Optional<Throwable> error = EventLogContext.of(event.event(), () -> observed(event, tx));
    event.took(Duration.ofNanos(System.nanoTime() - called));
    return error;
  }

  private Optional<Throwable> observed(PendingEvent event, @Nullable Connection tx) {
    ConsumerListener.Handling handling = outcomes.handling(event);
    @Nullable Throwable error = null;
    try {
      event.handler().handle(tx, event.event(), decoder);
    } catch (Throwable e) { // whatever a handler throws concerns its event alone
      error = e;
    }
    handling.ended(error);
    return Optional.ofNullable(error);
  }

  /** The handler has succeeded, and that is remembered. */
  void done(PendingEvent event) {
    event.end(outcomes.processed(event));
  }

  void duplicate(PendingEvent event) {
    event.end(outcomes.duplicate(event.event()));
  }

  /** The handler has failed, and its effect is undone as far as possible. */
  void failed(PendingEvent event, Throwable error) {
    if (error instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    // Whatever a handler makes of an interrupt, the event is not at fault.
    if (Thread.currentThread().isInterrupted()) {
      end(event, OutcomeMapping.INTERRUPTED);
    } else {
      end(event, outcomes.failed(event.item(), event.event(), error));
    }
  }

  /** The event is being handled elsewhere, or was when its consumer crashed. */
  void inProgress(PendingEvent event) {
    if (!isHeld(event)) {
      end(event, OutcomeMapping.IN_PROGRESS);
    }
  }

  /** The inbox does not answer, so nothing may be handled. */
  void unavailable(Collection<PendingEvent> events, String reason) {
    Outcome later = outcomes.unavailable(reason);
    events.stream().filter(PendingEvent::isOpen).forEach(event -> end(event, later));
  }

  /** The inbox has answered. */
  void available() {
    outcomes.available();
  }

  private void end(PendingEvent event, Outcome outcome) {
    event.end(outcome);
    if (outcome instanceof Outcome.Retry) {
      holdKey(event);
    }
  }
}
