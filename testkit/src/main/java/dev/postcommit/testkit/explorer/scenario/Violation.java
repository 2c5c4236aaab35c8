package dev.postcommit.testkit.explorer.scenario;

import org.jspecify.annotations.Nullable;

/** Thrown if a run has broken a promise. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Describes the broken promise. */
  public Violation(String message) {
    super(message);
  }

  public Violation(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
