package dev.postcommit.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name somebody may have meant. */
public final class Suggestion {
  /** Comparing takes time and memory in proportion to the length, and nobody mistypes so much. */
  private static final int LONGEST = 200;

  private Suggestion() {}

  /** The known name closest to {@code given}, unless even that one is far off. */
  public static Optional<String> closest(String given, Collection<String> known) {
    if (given.length() > LONGEST) {
      return Optional.empty();
    }
    return known.stream()
        .min(Comparator.comparingInt(name -> distance(given, name)))
        .filter(name -> distance(given, name) <= Math.max(2, given.length() / 3));
  }

  /** The words that offer the closest known name, or none if there is none. */
  public static String didYouMean(String given, Collection<String> known) {
    return closest(given, known).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /**
   * Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
   */
  static int distance(String from, String to) {
    int[][] steps = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        steps[i][j] = i == 0 ? j : j == 0 ? i : step(steps, from, to, i, j);
      }
    }
    return steps[from.length()][to.length()];
  }

  private static int step(int[][] steps, String from, String to, int i, int j) {
    boolean same = from.charAt(i - 1) == to.charAt(j - 1);
    int best = Math.min(steps[i - 1][j], steps[i][j - 1]) + 1;
    best = Math.min(best, steps[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(best, steps[i - 2][j - 2] + 1) : best;
  }
}
