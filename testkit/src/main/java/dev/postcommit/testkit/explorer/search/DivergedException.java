package dev.postcommit.testkit.explorer.search;

/** Thrown if a run does not repeat another one: something is not deterministic. */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DivergedException(String message) {
    super(message);
  }
}
