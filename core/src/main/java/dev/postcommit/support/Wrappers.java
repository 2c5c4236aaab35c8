package dev.postcommit.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Exceptions that others are put around. */
public final class Wrappers {
  private static final int DEEPEST = 20;

  private Wrappers() {}

  /** The exception within what futures put around it. */
  public static Throwable unwrap(Throwable error) {
    @Nullable Throwable cause = error.getCause();
    boolean wrapper = error instanceof CompletionException || error instanceof ExecutionException;
    return wrapper && cause != null ? unwrap(cause) : error;
  }

  /** An exception, its cause, the cause of that, and so on. */
  public static List<Throwable> chain(Throwable error) {
    List<Throwable> chain = new ArrayList<>();
    for (@Nullable Throwable e = error; e != null && chain.size() < DEEPEST; e = e.getCause()) {
      chain.add(e);
    }
    return chain;
  }
}
