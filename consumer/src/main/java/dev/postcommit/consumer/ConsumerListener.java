package dev.postcommit.consumer;

import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Observes a consumer, for metrics and traces. Called on the threads that handle events, so it must
 * be quick; what it throws is logged and otherwise ignored.
 */
public interface ConsumerListener {

  /** One call of a handler. */
  @FunctionalInterface
  interface Handling {

    /** Ignores how the call ends. */
    Handling IGNORED = error -> {};

    /** The handler has returned, or has thrown {@code error}. */
    void ended(@Nullable Throwable error);
  }

  /**
   * A handler is about to be called, by this thread.
   *
   * @param attempt the number of the attempt, starting at 1
   * @return is told when the call has ended, by this thread
   */
  default Handling handling(ReceivedEvent<?> event, int attempt) {
    return Handling.IGNORED;
  }

  /** An event was handled, and is remembered; {@code took} is the handler's time. */
  default void processed(ReceivedEvent<?> event, Duration took) {}

  /** An event had been handled before. */
  default void duplicate(ReceivedEvent<?> event) {}

  /** No handler is registered for events of this type. */
  default void ignored(ReceivedEvent<?> event) {}

  /** Handling an event failed; it will be retried after {@code delay}. */
  default void retrying(ReceivedEvent<?> event, int attempt, String reason, Duration delay) {}

  /** An event was given up. */
  default void dead(DeadLetter deadLetter) {}

  /** The store of the inbox became unavailable; nothing is handled until it is back. */
  default void inboxUnavailable(String reason) {}

  /** The store of the inbox is available again after {@code outage}. */
  default void inboxRecovered(Duration outage) {}
}
