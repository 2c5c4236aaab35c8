package dev.postcommit.bench.run;

/** A contender could not do what it was asked to. */
final class ContenderException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ContenderException(Entrant entrant, String request, String why) {
    super(entrant.id() + " failed at '" + request + "': " + why);
  }
}
