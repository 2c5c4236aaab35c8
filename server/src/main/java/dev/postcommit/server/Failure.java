package dev.postcommit.server;

import org.jspecify.annotations.Nullable;

/** An operation that failed; the message is for the user, its first line says it all. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Failure(String message) {
    super(message);
  }

  Failure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
