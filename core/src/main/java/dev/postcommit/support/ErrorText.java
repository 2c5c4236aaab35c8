package dev.postcommit.support;

import org.jspecify.annotations.Nullable;

/** Errors in one line. */
public final class ErrorText {
  private ErrorText() {}

  /** The kind of an error and what it says, if it says anything, and what is wrong with TLS. */
  public static String of(Throwable error) {
    @Nullable String message = error.getMessage();
    String name = error.getClass().getSimpleName();
    return (message == null ? name : name + ": " + message)
        + TlsFailure.of(error).map(failure -> ": " + failure).orElse("");
  }
}
