package dev.postcommit;

import org.jspecify.annotations.Nullable;

/** Something Postcommit could not do; the message says what happened, to what, and what to do. */
public class PostcommitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception without a cause. */
  public PostcommitException(String message) {
    super(message);
  }

  /** Creates an exception with the failure that caused it. */
  public PostcommitException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
