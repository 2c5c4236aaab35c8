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

  /**
   * The kind of error that caused {@code error}, and where it was thrown. What it says is left out,
   * since it may show the content of an event.
   */
  public static String withoutMessage(Throwable error) {
    Throwable first = error;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    StackTraceElement[] places = first.getStackTrace();
    return first.getClass().getName() + (places.length == 0 ? "" : " at " + places[0]);
  }
}
