package dev.postcommit.consumer;

import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message to an {@link EventConsumer}.
 *
 * @param message the message
 * @param order messages of equal order are handled one after the other; null if it does not matter
 * @param number how many attempts this makes, the first being 1
 */
public record Attempt(ReceivedMessage message, @Nullable Object order, int number) {

  /** The first attempt of a message that waits for no other. */
  public Attempt(ReceivedMessage message) {
    this(message, null, 1);
  }
}
