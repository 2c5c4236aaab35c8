package dev.postcommit.consumer.spi;

import java.util.List;
import java.util.Optional;

/**
 * Sends dead letters to a broker. Safe for use by many threads.
 *
 * @param <M> the messages of the broker
 */
@FunctionalInterface
public interface DeadLetterSink<M extends FetchedMessage> extends AutoCloseable {

  /**
   * Sends the dead letters of messages, and marks those as done that the broker has taken. The
   * others are left unchanged, and given again.
   */
  void send(List<M> messages);

  /** Why dead letters cannot be sent, if so. */
  default Optional<String> problem() {
    return Optional.empty();
  }

  @Override
  default void close() {}
}
