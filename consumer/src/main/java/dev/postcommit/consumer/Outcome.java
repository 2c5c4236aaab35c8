package dev.postcommit.consumer;

import dev.postcommit.consumer.deadletter.DeadLetter;
import java.time.Duration;

/** The outcome of a message that an {@link EventConsumer} was given. */
public sealed interface Outcome {

  /** Nothing more is to be done; acknowledge the message. */
  enum Done implements Outcome {
    /** A handler has handled the event. */
    PROCESSED,
    /** The event was handled before. */
    DUPLICATE,
    /** No handler is registered for events of its type. */
    IGNORED
  }

  /**
   * The consumer has given up. Send the dead letter to its topic, and acknowledge the message only
   * then.
   */
  record Dead(DeadLetter deadLetter) implements Outcome {}

  /**
   * Give the message again. Until then, later messages with its ordering key have to wait.
   *
   * @param delay how long to wait before
   * @param counts whether the attempt counts; if not, the event was not at fault
   * @param reason why it is retried
   */
  record Retry(Duration delay, boolean counts, String reason) implements Outcome {}

  /**
   * The message was not handled, because an earlier one with its ordering key is to be retried or
   * because the others took too long. Give it again after them.
   */
  record Held() implements Outcome {}

  /** The message was not handled. */
  Outcome HELD = new Held();
}
