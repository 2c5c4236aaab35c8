package dev.postcommit.consumer.inbox;

import dev.postcommit.PostcommitException;
import org.jspecify.annotations.Nullable;

/** An {@link IdempotencyStore} could not answer, so nothing may be handled until it can. */
public final class StoreUnavailableException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  /** Says what could not be done, and why. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
