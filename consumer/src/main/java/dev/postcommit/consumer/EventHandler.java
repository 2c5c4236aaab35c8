package dev.postcommit.consumer;

/**
 * Does what an event calls for.
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
