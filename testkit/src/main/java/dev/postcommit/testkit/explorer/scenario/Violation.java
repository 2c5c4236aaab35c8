package dev.postcommit.testkit.explorer.scenario;

import org.jspecify.annotations.Nullable;

/** A promise that a run has broken. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A broken promise, in words. */
  public Violation(String message) {
    super(message);
  }

  public Violation(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
