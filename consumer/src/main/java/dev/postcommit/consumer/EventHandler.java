package dev.postcommit.consumer;

import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;

/**
 * Handles the events of one type.
 *
 * @param <T> what the event's data is decoded into
 */
@FunctionalInterface
public interface EventHandler<T> {

  /**
   * Handles the event. Returning means that its effect has happened.
   *
   * @throws PermanentFailureException if trying again cannot help
   * @throws Exception if it may help
   */
  void handle(ReceivedEvent<T> event) throws Exception;
}
