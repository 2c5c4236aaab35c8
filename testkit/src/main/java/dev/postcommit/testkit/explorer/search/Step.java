package dev.postcommit.testkit.explorer.search;

/**
 * The next step of an actor.
 *
 * @param actor the number of the actor
 * @param text a statement, or a description from the scenario
 */
public record Step(int actor, String text, Footprint footprint) {

  private static final int LABEL_LENGTH = 60;

  /** Returns the text as one line. */
  public String line() {
    return text.strip().replaceAll("\\s+", " ");
  }

  /** Returns the start of the text, which identifies the kind of step. */
  String label() {
    String line = line();
    return line.length() <= LABEL_LENGTH ? line : line.substring(0, LABEL_LENGTH);
  }
}
