package dev.postcommit.consumer;

import dev.postcommit.PostcommitException;
import org.jspecify.annotations.Nullable;

/**
 * Another transaction has marked an event and has not ended yet, so nobody can say whether the
 * event is processed. The transaction that asked is to be rolled back and repeated later.
 */
public final class EventInProgressException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  EventInProgressException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
