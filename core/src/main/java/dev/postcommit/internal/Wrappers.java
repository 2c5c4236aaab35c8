package dev.postcommit.internal;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Exceptions that futures put around others. */
public final class Wrappers {
  private Wrappers() {}

  /** The exception within. */
  public static Throwable unwrap(Throwable error) {
    @Nullable Throwable cause = error.getCause();
    boolean wrapper = error instanceof CompletionException || error instanceof ExecutionException;
    return wrapper && cause != null ? unwrap(cause) : error;
  }
}
