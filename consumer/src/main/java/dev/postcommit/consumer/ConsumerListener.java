package dev.postcommit.consumer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Is told what a consumer does; metrics and traces hang on it. Called on the threads that handle
 * events, so it must be quick; what it throws is logged and otherwise ignored.
 */
public interface ConsumerListener {

  /** One call of a handler. */
  @FunctionalInterface
  interface Handling {

    /** The call of one who need not know how it ends. */
    Handling UNHEARD = error -> {};

    /** The handler has returned, or has thrown {@code error}. */
    void ended(@Nullable Throwable error);
  }

  /**
   * A handler is about to be called, by this thread.
   *
   * @param attempt which attempt it is, the first being 1
   * @return who is told when the call has ended, by this thread
   */
  default Handling handling(ReceivedEvent<?> event, int attempt) {
    return Handling.UNHEARD;
  }

  /** An event was handled, and is remembered; {@code took} is the handler's time. */
  default void processed(ReceivedEvent<?> event, Duration took) {}

  /** An event had been handled before. */
  default void duplicate(ReceivedEvent<?> event) {}

  /** No handler is for an event of this type. */
  default void ignored(ReceivedEvent<?> event) {}

  /** Handling an event failed; it will be tried again after {@code delay}. */
  default void retrying(ReceivedEvent<?> event, int attempt, String reason, Duration delay) {}

  /** An event is given up. */
  default void dead(DeadLetter letter) {}

  /** The store of the inbox became unavailable; nothing is handled until it is back. */
  default void inboxUnavailable(String reason) {}

  /** The store of the inbox is available again after {@code outage}. */
  default void inboxRecovered(Duration outage) {}
}
