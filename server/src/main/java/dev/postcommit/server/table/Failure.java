package dev.postcommit.server.table;

import org.jspecify.annotations.Nullable;

/** An operation that failed; the message is for the user, its first line says it all. */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Failure(String message) {
    super(message);
  }

  /** A failure with a cause. */
  public Failure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
