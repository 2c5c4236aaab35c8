package dev.postcommit.consumer;

import dev.postcommit.consumer.message.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message to handle.
 *
 * @param message the message
 * @param orderingKey items with equal ordering keys are handled one after the other; null if the
 *     order does not matter
 * @param attempt the number of this attempt, starting at 1
 */
public record WorkItem(ReceivedMessage message, @Nullable Object orderingKey, int attempt) {

  /** The first attempt of a message that waits for no other. */
  public WorkItem(ReceivedMessage message) {
    this(message, null, 1);
  }
}
