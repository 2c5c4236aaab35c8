package dev.postcommit.internal.store.leased;

/**
 * How many compressed payloads one claim may measure: about as many as it takes. Measuring one
 * means reading it, and reading a whole batch of large ones would take seconds although only a few
 * fit.
 */
final class MeasuringLimit {
  private static final int FEWEST = 4;
  private static final int MOST = 10_000;

  private int current = FEWEST;

  /** The limit of the next claim. */
  int current() {
    return current;
  }

  /**
   * Learns from a claim.
   *
   * @param taken how many events it took
   * @param measured how many compressed payloads it measured
   * @param left how many it did not measure because of the limit
   */
  void learn(int taken, int measured, int left) {
    if (left > 0 && taken >= measured) {
      current = Math.min(MOST, 2 * current);
    } else if (measured > 4 * Math.max(1, taken)) {
      current = Math.max(FEWEST, 2 * taken);
    }
  }
}
