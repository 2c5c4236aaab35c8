package dev.postcommit.consumer;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.support.LogText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps what happened to an event to its {@link Outcome}: processed, duplicate, retried or dead.
 * Logs it and tells the listeners.
 */
final class OutcomeMapping {
  /** A handler was interrupted, most likely because the consumer is being stopped. */
  static final Outcome INTERRUPTED =
      new Outcome.Retry(Duration.ofMillis(100), false, "the handler was interrupted");

  /** The event is in progress elsewhere. */
  static final Outcome IN_PROGRESS =
      new Outcome.Retry(Duration.ofSeconds(1), false, "the event is being handled by another");

  private static final Logger log = LoggerFactory.getLogger(OutcomeMapping.class);

  private final String consumer;
  private final RetryPolicy retryPolicy;
  private final Set<Class<? extends Throwable>> permanent;
  private final ConsumerListeners listeners;
  private final InboxOutage outage;

  OutcomeMapping(
      String consumer,
      RetryPolicy retryPolicy,
      Set<Class<? extends Throwable>> permanent,
      List<ConsumerListener> listeners) {
    this.consumer = consumer;
    this.retryPolicy = retryPolicy;
    this.permanent = permanent;
    this.listeners = new ConsumerListeners(listeners);
    this.outage = new InboxOutage(consumer, this.listeners);
  }

  String consumer() {
    return consumer;
  }

  ConsumerListener.Handling handling(PendingEvent event) {
    return listeners.handling(event.event(), event.item().attempt());
  }

  Outcome processed(PendingEvent event) {
    listeners.tell(to -> to.processed(event.event(), event.took()));
    return Outcome.Done.PROCESSED;
  }

  Outcome duplicate(ReceivedEvent<?> event) {
    return EventLogContext.of(
        event,
        () -> {
          log.debug("a duplicate; {}", names(event));
          listeners.tell(to -> to.duplicate(event));
          return Outcome.Done.DUPLICATE;
        });
  }

  Outcome ignored(ReceivedEvent<?> event) {
    listeners.tell(to -> to.ignored(event));
    return Outcome.Done.IGNORED;
  }

  Outcome failed(WorkItem item, ReceivedEvent<?> event, Throwable error) {
    return EventLogContext.of(event, () -> retryOrDead(item, event, error));
  }

  private Outcome retryOrDead(WorkItem item, ReceivedEvent<?> event, Throwable error) {
    if (isPermanent(error)) {
      return dead(item, event, error, text(error));
    }
    Optional<Duration> delay = retryPolicy.delayAfter(item.attempt(), ThreadLocalRandom.current());
    if (delay.isEmpty()) {
      return dead(
          item, event, error, "gave up after attempt " + item.attempt() + ": " + text(error));
    }
    String reason = text(error);
    log.warn(
        "handling failed, and is tried again in {} ms: {}; {} attempt={}",
        delay.get().toMillis(),
        LogText.line(reason),
        names(event),
        item.attempt(),
        item.attempt() == 1 ? error : null);
    listeners.tell(to -> to.retrying(event, item.attempt(), reason, delay.get()));
    return new Outcome.Retry(delay.get(), true, reason);
  }

  /** Gives up an event, or a message that carries none. */
  Outcome dead(
      WorkItem item, @Nullable ReceivedEvent<?> event, Throwable error, String errorMessage) {
    DeadLetter deadLetter =
        new DeadLetter(
            event == null ? null : event.id(),
            event == null ? null : event.type(),
            item.message(),
            errorMessage,
            error.getClass().getName(),
            item.attempt(),
            Instant.now(),
            consumer);
    log.error(
        "given up: {}; {} {}",
        LogText.line(errorMessage),
        event == null ? "" : names(event),
        item.message());
    log.debug("the error of the event given up", error);
    listeners.tell(to -> to.dead(deadLetter));
    return new Outcome.Dead(deadLetter);
  }

  Outcome unavailable(String reason) {
    return new Outcome.Retry(outage.lost(reason), false, reason);
  }

  void available() {
    outage.regained();
  }

  private boolean isPermanent(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      Throwable cause = e;
      if (cause instanceof PermanentFailureException
          || permanent.stream().anyMatch(type -> type.isInstance(cause))) {
        return true;
      }
    }
    return false;
  }

  static String text(Throwable error) {
    String message = error.getMessage();
    return message == null || message.isBlank() ? error.toString() : message;
  }

  private static String names(ReceivedEvent<?> event) {
    return LogText.line(
        "event_id=%s event_type=%s aggregate_type=%s aggregate_id=%s"
            .formatted(event.id(), event.type(), event.aggregateType(), event.aggregateId()));
  }
}
