package dev.postcommit.consumer;

import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.sql.Connection;

/**
 * Handles the events of one type, in the transaction that also marks them as processed.
 *
 * @param <T> what the event's data is decoded into
 */
@FunctionalInterface
public interface TransactionalHandler<T> {

  /**
   * Handles the event by changes on {@code tx}, which are committed together with those of other
   * events and with the marks. If one of the events fails, all are rolled back and the others are
   * handled again, so an effect outside of the transaction might happen more than once.
   *
   * @param tx the transaction; not to be committed, rolled back or closed
   * @throws PermanentFailureException if trying again cannot help
   * @throws Exception if it may help
   */
  void handle(Connection tx, ReceivedEvent<T> event) throws Exception;
}
