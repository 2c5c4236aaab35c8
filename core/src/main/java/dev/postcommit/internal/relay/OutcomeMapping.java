package dev.postcommit.internal.relay;

import dev.postcommit.internal.DurationText;
import dev.postcommit.internal.store.DeferredEvents;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Deferred;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.Retryable;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Maps the deliveries of one batch to outcomes, and reports each. Failed attempts and dead events
 * are logged with a line each, but not more than {@value #LINES} for one reason.
 */
final class OutcomeMapping {
  /** How long an event waits if the broker cannot take it for the moment. */
  private static final Duration DEFERRAL = Duration.ofSeconds(1);

  /** Allows for the database's clock not being read at the same moment. */
  private static final Duration UNDECIDED_MARGIN = Duration.ofMillis(100);

  private static final int LINES = 10;

  private final RelayContext context;
  private final Batch batch;
  private final Map<String, Integer> retriedByReason = new LinkedHashMap<>();
  private final Map<String, Integer> deadByReason = new LinkedHashMap<>();

  OutcomeMapping(RelayContext context, Batch batch) {
    this.context = context;
    this.batch = batch;
  }

  /**
   * What becomes of an event.
   *
   * @param topic where it was to go, or null if that could not be told
   * @param delivery what the publisher said, or null if it did not answer in time
   */
  Outcome outcome(StoredEvent event, @Nullable String topic, @Nullable Delivery delivery) {
    if (delivery instanceof Delivered) {
      EventLog.delivered(event);
      return new Outcome.Delivered(event.id());
    }
    if (delivery instanceof HeldBack) {
      return released(event);
    }
    if (delivery instanceof Unavailable unavailable) {
      context.broker().lost(unavailable.reason());
      return released(event);
    }
    if (delivery instanceof Deferred deferred) {
      return deferred(event, deferred.reason(), DEFERRAL);
    }
    if (delivery instanceof TopicUnavailable unavailable && topic != null) {
      return waiting(event, topic, unavailable);
    }
    if (delivery instanceof Rejected rejected) {
      return dead(event, rejected.reason(), rejected.cause());
    }
    if (delivery instanceof Retryable retryable) {
      return failed(event, retryable.reason(), retryable.cause());
    }
    if (context.shutdown().isOverdue()) {
      return released(event);
    }
    Duration timeout = context.publisher().deliveryTimeout();
    return failed(
        event, "the publisher did not answer within " + DurationText.spoken(timeout), null);
  }

  /** Logs how many failed attempts and dead events had no line. */
  void log() {
    log(retriedByReason, "failed and will be retried", Level.WARN);
    log(deadByReason, "are dead", Level.ERROR);
  }

  private static void log(Map<String, Integer> byReason, String what, Level level) {
    byReason.forEach(
        (reason, count) -> {
          if (count > LINES) {
            EventLog.more(count - LINES, what, reason, level);
          }
        });
  }

  private static Level level(Map<String, Integer> byReason, String reason, Level level) {
    return byReason.merge(reason, 1, Integer::sum) <= LINES ? level : Level.DEBUG;
  }

  private static Outcome released(StoredEvent event) {
    EventLog.released(event);
    return new Outcome.Released(event.id());
  }

  private Outcome waiting(StoredEvent event, String topic, TopicUnavailable unavailable) {
    Optional<String> givenUp = context.topics().givenUp(topic, event);
    if (givenUp.isEmpty()) {
      String error = DeferredEvents.error(topic, unavailable.reason());
      return deferred(event, error, context.topics().delay(topic, event));
    }
    return dead(event, givenUp.get() + ": " + unavailable.reason(), unavailable.cause());
  }

  private Outcome deferred(StoredEvent event, String reason, Duration delay) {
    EventLog.deferred(event, reason, delay);
    context.listener().deferred(event, reason, delay);
    return new Outcome.Deferred(event.id(), reason, delay);
  }

  private Outcome failed(StoredEvent event, String reason, @Nullable Throwable cause) {
    Optional<Duration> delay =
        context
            .config()
            .retryPolicy(event.type())
            .delayAfter(event.attempt(), ThreadLocalRandom.current());
    if (delay.isEmpty()) {
      return dead(event, "gave up after " + event.attempt() + " attempts: " + reason, cause);
    }
    return retry(event, reason, delay.get());
  }

  private Outcome retry(StoredEvent event, String reason, Duration delay) {
    EventLog.retrying(event, reason, delay, level(retriedByReason, reason, Level.WARN));
    context.listener().retrying(event, reason, delay);
    return new Outcome.Retry(event.id(), reason, delay);
  }

  /** Gives an event up, but not before copies of it cannot arrive any more. */
  private Outcome dead(StoredEvent event, String reason, @Nullable Throwable cause) {
    Duration undecided = batch.undecided();
    if (!undecided.isZero()) {
      return retry(event, reason, undecided.plus(UNDECIDED_MARGIN));
    }
    EventLog.dead(event, reason, cause, level(deadByReason, reason, Level.ERROR));
    context.listener().dead(event, reason);
    return new Outcome.Dead(event.id(), reason);
  }
}
