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
   * The broker as a whole cannot be used, or the message was held back because of that. No attempt
   * counts; the relay pauses until the publisher has no {@linkplain Publisher#problem problem}.
   */
  record Unavailable(String reason, @Nullable Throwable cause) implements Delivery {}

  /**
   * The broker answers but cannot take this message now, for a reason that has nothing to do with
   * the message: its partition has no leader or too few replicas in sync, or a quota is used up. No
   * attempt counts; the event is due later, and the later events of its key wait for it.
   */
  record Deferred(String reason, @Nullable Throwable cause) implements Delivery {}

  /**
   * The broker takes no message for this topic, because the topic is missing or may not be written
   * to. No attempt counts; all events for the topic wait, and one of them probes it from time to
   * time.
   *
   * @param reason what is wrong with the topic and what to do about it, for an operator to read; it
   *     names the topic
   */
  record TopicUnavailable(String reason, @Nullable Throwable cause) implements Delivery {}

  /** Not sent, because an earlier message of its key was not delivered. No attempt counts. */
  record HeldBack() implements Delivery {}

  /** The acknowledged delivery. */
  Delivery DELIVERED = new Delivered();

  /** Of a message that was not sent, because of an earlier one. */
  Delivery HELD_BACK = new HeldBack();
}
