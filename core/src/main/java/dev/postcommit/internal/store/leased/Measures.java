package dev.postcommit.internal.store.leased;

/**
 * How many compressed payloads one claim measures: about as many as it takes. Each has to be read
 * for that, so that to measure a whole batch of large ones would take seconds, of which a few are
 * claimed.
 */
final class Measures {
  private static final int FEWEST = 4;
  private static final int MOST = 10_000;

  private int most = FEWEST;

  /** How many are measured next. */
  int most() {
    return most;
  }

  /**
   * Learns from a claim.
   *
   * @param taken how many events it took
   * @param measured how many compressed payloads it measured
   * @param left how many it did not
   */
  void learn(int taken, int measured, int left) {
    if (left > 0 && taken >= measured) {
      most = Math.min(MOST, 2 * most);
    } else if (measured > 4 * Math.max(1, taken)) {
      most = Math.max(FEWEST, 2 * taken);
    }
  }
}
