package dev.postcommit.consumer.message;

import dev.postcommit.PostcommitException;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler for an event that it can never handle; the event is dead-lettered. */
public class PermanentFailureException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong with the event. */
  public PermanentFailureException(String message) {
    super(message);
  }

  /** Says what is wrong with the event, and what showed it. */
  public PermanentFailureException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
