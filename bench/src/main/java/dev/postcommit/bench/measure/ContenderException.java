package dev.postcommit.bench.measure;

/** Thrown if a contender cannot be started, or cannot carry out a command. */
public final class ContenderException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ContenderException(String message) {
    super(message);
  }
}
