package dev.postcommit.testkit.explorer.search;

/**
 * What an actor is about to do.
 *
 * @param actor the number of the actor
 * @param text a statement, or words of the scenario
 */
public record Step(int actor, String text, Footprint footprint) {

  private static final int LABEL_LENGTH = 60;

  /** The text in one line. */
  public String line() {
    return text.strip().replaceAll("\\s+", " ");
  }

  /** Enough of the text to tell kinds of steps apart. */
  String label() {
    String line = line();
    return line.length() <= LABEL_LENGTH ? line : line.substring(0, LABEL_LENGTH);
  }
}
