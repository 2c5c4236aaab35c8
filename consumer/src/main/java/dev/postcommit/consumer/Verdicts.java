package dev.postcommit.consumer;

import dev.postcommit.RetryPolicy;
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

/** Decides what becomes of events, and tells log and listener. */
final class Verdicts {
  /** A handler was interrupted, most likely because the consumer is being stopped. */
  static final Outcome INTERRUPTED =
      new Outcome.Retry(Duration.ofMillis(100), false, "the handler was interrupted");

  /** An event is another's. */
  static final Outcome IN_PROGRESS =
      new Outcome.Retry(Duration.ofSeconds(1), false, "the event is being handled by another");

  private static final Logger log = LoggerFactory.getLogger(Verdicts.class);

  private final String consumer;
  private final RetryPolicy retryPolicy;
  private final Set<Class<? extends Throwable>> permanent;
  private final ConsumerListener listener;
  private final Outages outages;

  Verdicts(
      String consumer,
      RetryPolicy retryPolicy,
      Set<Class<? extends Throwable>> permanent,
      List<ConsumerListener> listeners) {
    this.consumer = consumer;
    this.retryPolicy = retryPolicy;
    this.permanent = permanent;
    this.listener = new GuardedConsumerListener(listeners);
    this.outages = new Outages(consumer, this.listener);
  }

  String consumer() {
    return consumer;
  }

  ConsumerListener.Handling handling(Task task) {
    return listener.handling(task.event(), task.attempt().number());
  }

  Outcome processed(Task task) {
    listener.processed(task.event(), task.took());
    return Outcome.Done.PROCESSED;
  }

  Outcome duplicate(ReceivedEvent<?> event) {
    return EventContext.of(
        event,
        () -> {
          log.debug("a duplicate; {}", names(event));
          listener.duplicate(event);
          return Outcome.Done.DUPLICATE;
        });
  }

  Outcome ignored(ReceivedEvent<?> event) {
    listener.ignored(event);
    return Outcome.Done.IGNORED;
  }

  Outcome failed(Attempt attempt, ReceivedEvent<?> event, Throwable error) {
    return EventContext.of(event, () -> retryOrDead(attempt, event, error));
  }

  private Outcome retryOrDead(Attempt attempt, ReceivedEvent<?> event, Throwable error) {
    if (isPermanent(error)) {
      return dead(attempt, event, error, text(error));
    }
    Optional<Duration> delay =
        retryPolicy.delayAfter(attempt.number(), ThreadLocalRandom.current());
    if (delay.isEmpty()) {
      return dead(
          attempt, event, error, "gave up after attempt " + attempt.number() + ": " + text(error));
    }
    String reason = text(error);
    log.warn(
        "handling failed, and is tried again in {} ms: {}; {} attempt={}",
        delay.get().toMillis(),
        LogText.line(reason),
        names(event),
        attempt.number(),
        attempt.number() == 1 ? error : null);
    listener.retrying(event, attempt.number(), reason, delay.get());
    return new Outcome.Retry(delay.get(), true, reason);
  }

  /** Gives an event up, or a message that carries none. */
  Outcome dead(
      Attempt attempt, @Nullable ReceivedEvent<?> event, Throwable error, String errorMessage) {
    DeadLetter letter =
        new DeadLetter(
            event == null ? null : event.id(),
            event == null ? null : event.type(),
            attempt.message(),
            errorMessage,
            error.getClass().getName(),
            attempt.number(),
            Instant.now(),
            consumer);
    log.error(
        "given up: {}; {} {}",
        LogText.line(errorMessage),
        event == null ? "" : names(event),
        attempt.message());
    log.debug("the error of the event given up", error);
    listener.dead(letter);
    return new Outcome.Dead(letter);
  }

  Outcome unavailable(String reason) {
    return new Outcome.Retry(outages.lost(reason), false, reason);
  }

  void available() {
    outages.regained();
  }

  private boolean isPermanent(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      Throwable one = e;
      if (one instanceof PermanentFailureException
          || permanent.stream().anyMatch(type -> type.isInstance(one))) {
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
