package dev.postcommit.internal;

import org.jspecify.annotations.Nullable;

/** Errors in one line. */
public final class ErrorText {
  private ErrorText() {}

  /** The kind of an error and what it says, if it says anything. */
  public static String of(Throwable error) {
    @Nullable String message = error.getMessage();
    String name = error.getClass().getSimpleName();
    return message == null ? name : name + ": " + message;
  }
}
