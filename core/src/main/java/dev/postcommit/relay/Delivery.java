package dev.postcommit.relay;

import org.jspecify.annotations.Nullable;

/** What became of one message a {@link Publisher} was given. */
public sealed interface Delivery {

  /** The broker has acknowledged the message. */
  record Delivered() implements Delivery {}

  /** This attempt failed; a later one may succeed. The attempt counts. */
  record Retryable(String reason, @Nullable Throwable cause) implements Delivery {}

  /** The broker will never take this message; its event becomes dead. */
  record Rejected(String reason, @Nullable Throwable cause) implements Delivery {}

  /**
   * The broker as a whole cannot be reached, or the message was held back because of that. No
   * attempt counts; the relay pauses until the publisher is ready again.
   */
  record Unavailable(String reason, @Nullable Throwable cause) implements Delivery {}

  /** The acknowledged delivery. */
  Delivery DELIVERED = new Delivered();
}
