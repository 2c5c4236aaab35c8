package dev.postcommit.bench.report;

/**
 * Something that could not be measured.
 *
 * @param scenario the scenario, or {@code start} or {@code warm-up}
 * @param contender the id of the contender; empty if it concerns all of them
 * @param reason why, in one line
 */
public record Failure(String scenario, String contender, String reason) {
  private static final int LONGEST = 500;

  /** Makes a long reason one short line. */
  public Failure {
    reason = reason.strip().replaceAll("\\s*\\R\\s*", "; ");
    reason = reason.substring(0, Math.min(reason.length(), LONGEST));
  }

  @Override
  public String toString() {
    return (contender.isEmpty() ? scenario : scenario + ", " + contender) + ": " + reason;
  }
}
