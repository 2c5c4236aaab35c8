package dev.postcommit.inbox;

import java.time.Duration;

/**
 * Is told what a consumer does; metrics and traces hang on it. Called on the threads that handle
 * events, so it must be quick; what it throws is logged and otherwise ignored.
 */
public interface ConsumerListener {

  /** The listener that does nothing. */
  ConsumerListener NONE = new ConsumerListener() {};

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
