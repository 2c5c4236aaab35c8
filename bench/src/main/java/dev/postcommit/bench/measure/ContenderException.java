package dev.postcommit.bench.measure;

/** A contender could not do what it was asked to. */
public final class ContenderException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ContenderException(Entrant entrant, String request, String why) {
    super(entrant.id() + " failed at '" + request + "': " + why);
  }
}
