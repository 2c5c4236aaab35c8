package dev.postcommit.consumer.spi;

import dev.postcommit.consumer.WorkItem;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that was fetched from the broker, until it is acknowledged. Only its worker may use it,
 * apart from {@link #isDone}.
 */
public abstract class FetchedMessage {
  private final @Nullable Object orderingKey;
  private @Nullable DeadLetter deadLetter;
  private int attempt = 1;
  private volatile boolean done;

  /**
   * A message that has not been tried.
   *
   * @param orderingKey equal for messages that are handled one after the other; null if this one
   *     waits for no other
   */
  protected FetchedMessage(@Nullable Object orderingKey) {
    this.orderingKey = orderingKey;
  }

  /** The content; not called after the message is done. */
  protected abstract ReceivedMessage message();

  /** A worker begins to handle the message; false if it is not to be handled any more. */
  protected abstract boolean begin();

  /** The worker has finished with the message for now, whatever the outcome. */
  protected abstract void finish();

  /** Whether to drop the message, because the broker delivers it to another consumer. */
  protected abstract boolean isAbandoned();

  /** Tells the broker that the message is done, and releases its content. */
  protected abstract void acknowledge();

  /** Messages with equal keys are handled in order; one without order has a key of its own. */
  public final Object orderingKey() {
    return orderingKey == null ? this : orderingKey;
  }

  final WorkItem workItem() {
    return new WorkItem(message(), orderingKey, attempt);
  }

  final void countAttempt() {
    attempt++;
  }

  /** Whether the consumer has given up, and the dead letter has yet to be sent. */
  public final boolean isDead() {
    return deadLetter != null;
  }

  /** The dead letter of a message that {@link #isDead}. */
  public final DeadLetter deadLetter() {
    return Objects.requireNonNull(deadLetter, "the dead letter of a message that was given up");
  }

  /** The consumer has given up; or the dead letter is replaced by another. */
  public final void giveUp(DeadLetter replacement) {
    deadLetter = replacement;
  }

  /** Nothing more is to be done with the message. */
  public final void done() {
    deadLetter = null;
    done = true;
    acknowledge();
  }

  /** Whether nothing more is to be done with the message. */
  public final boolean isDone() {
    return done;
  }
}
