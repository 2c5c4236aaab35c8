package dev.postcommit.bench.measure;

/** Finds the highest rate that a contender sustains. */
public final class Bisection {
  private Bisection() {}

  /** Tries a rate. */
  @FunctionalInterface
  public interface Trial {
    boolean isHeld(int rate) throws Exception;
  }

  /**
   * Doubles or halves the rate, starting at {@code first}, until one that is sustained and one that
   * is not are known, then halves their ratio {@code bisections} times.
   *
   * @return the highest sustained rate, at most {@code highest}; 0 if there is none
   */
  public static int highest(int first, int highest, int bisections, Trial trial) throws Exception {
    int held = 0;
    int failed = 0;
    for (int rate = first; rate <= highest && failed == 0; rate *= 2) {
      if (trial.isHeld(rate)) {
        held = rate;
      } else {
        failed = rate;
      }
    }
    for (int rate = failed / 2; held == 0 && rate >= 1; rate /= 2) {
      if (trial.isHeld(rate)) {
        held = rate;
      } else {
        failed = rate;
      }
    }
    for (int i = 0; i < bisections && held > 0 && failed > 0; i++) {
      int middle = (int) Math.round(Math.sqrt((double) held * failed));
      if (trial.isHeld(middle)) {
        held = middle;
      } else {
        failed = middle;
      }
    }
    return held;
  }
}
