package dev.postcommit.server;

import org.jspecify.annotations.Nullable;

/** An operation that failed; the message is one line for the user. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Failure(String message) {
    super(message);
  }

  Failure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
