package dev.postcommit.testkit.explorer.search;

/** A run that was to repeat another came to another point: something is not under control. */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DivergedException(String message) {
    super(message);
  }
}
