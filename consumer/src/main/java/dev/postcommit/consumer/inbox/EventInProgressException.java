package dev.postcommit.consumer.inbox;

import dev.postcommit.PostcommitException;
import org.jspecify.annotations.Nullable;

/**
 * Another transaction has marked an event and has not ended yet, so it is unknown whether the event
 * is processed. Roll back the transaction that asked and repeat it later.
 */
public final class EventInProgressException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  EventInProgressException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
