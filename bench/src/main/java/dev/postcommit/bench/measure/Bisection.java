package dev.postcommit.bench.measure;

/** Finds the highest rate that something holds. */
public final class Bisection {
  private Bisection() {}

  /** Whether a rate is held. */
  @FunctionalInterface
  public interface Trial {
    boolean isHeld(int rate) throws Exception;
  }

  /**
   * Doubles or halves from {@code first} until a rate that is held and one that is not are known,
   * then halves their ratio so many times.
   *
   * @return the highest rate that was held, at most {@code highest}; 0 if not even one was
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
