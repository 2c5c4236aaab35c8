package dev.postcommit.consumer;

import java.time.Duration;

/** What became of a message that an {@link EventConsumer} was given. */
public sealed interface Outcome {

  /** There is nothing more to do; the message is to be acknowledged. */
  enum Done implements Outcome {
    /** A handler has handled the event. */
    PROCESSED,
    /** The event was handled before. */
    DUPLICATE,
    /** No handler is for events of its type. */
    IGNORED
  }

  /**
   * The consumer has given up. The letter is to be sent to the dead-letter topic, and only then the
   * message to be acknowledged.
   */
  record Dead(DeadLetter letter) implements Outcome {}

  /**
   * The message is to be given again, after the messages of its order have waited for it.
   *
   * @param delay how long to wait before
   * @param counts whether this was an attempt; if not, the handler was not at fault
   * @param reason why
   */
  record Retry(Duration delay, boolean counts, String reason) implements Outcome {}

  /**
   * The message was not looked at, because an earlier one of its order is to be retried or because
   * the others took too long. It is to be given again after them.
   */
  record Held() implements Outcome {}

  /** The message was not looked at. */
  Outcome HELD = new Held();
}
