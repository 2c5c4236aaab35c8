package dev.postcommit.internal.store.claimed;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many rows at the head of the table a claim looks at.
 *
 * <p>Rows of busy keys are passed over, and a key may have a very long run of them. While that key
 * is being delivered there is no need to walk to the run's end time and again, so claims look at a
 * few batches only. If they find too little in them for longer than a delivery takes, as when the
 * key waits for a retry, they look further and further.
 */
final class Window {
  private static final int LARGEST = 1 << 30;
  private static final int FULL_CLAIMS_BEFORE_SHRINKING = 200;
  private static final long PATIENCE_NANOS = Duration.ofMillis(20).toNanos();

  private final int smallest;
  private final int batches;
  private final LongSupplier nanoTime;
  private int factor = 1;
  private int fullClaims;
  private long exhaustedSince;
  private boolean exhausted;

  private Window(int smallest, int batches, LongSupplier nanoTime) {
    this.smallest = smallest;
    this.batches = batches;
    this.nanoTime = nanoTime;
  }

  /** What claims look at: enough that a busy key hardly ever keeps others from being found. */
  static Window ofClaims(LongSupplier nanoTime) {
    return new Window(4096, 8, nanoTime);
  }

  /** What one look looks at that others need not wait for: as much as takes a millisecond or so. */
  static Window ofSurveys(LongSupplier nanoTime) {
    return new Window(1024, 2, nanoTime);
  }

  /** The rows to look at for a batch of the given size. */
  synchronized int rows(int batchSize) {
    return (int) Math.min(LARGEST, Math.max(smallest, (long) batchSize * batches) * factor);
  }

  /**
   * Learns from a claim.
   *
   * @param rows how many rows it was to look at
   * @param seen how many there were, or -1 if the batch is full
   */
  synchronized void learn(int rows, int seen) {
    if (seen < rows) {
      exhausted = false;
      if (seen < 0 && ++fullClaims >= FULL_CLAIMS_BEFORE_SHRINKING) {
        fullClaims = 0;
        factor = Math.max(1, factor / 2);
      }
      return;
    }
    long now = nanoTime.getAsLong();
    fullClaims = 0;
    if (!exhausted) {
      exhausted = true;
      exhaustedSince = now;
    } else if (now - exhaustedSince >= PATIENCE_NANOS && rows < LARGEST) {
      factor *= 2;
      exhaustedSince = now;
    }
  }
}
