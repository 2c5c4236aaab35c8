package dev.postcommit.bench.measure;

/** Thrown if a contender could not carry out a command. */
public final class ContenderException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ContenderException(Entrant entrant, String request, String why) {
    super(entrant.id() + " failed at '" + request + "': " + why);
  }
}
