package dev.postcommit.internal.store.claimed;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many rows a claim scans from the head of the table.
 *
 * <p>Rows of busy keys are passed over, and a key may have a very long run of them. While that key
 * is being delivered there is no need to walk to the run's end time and again, so claims scan a few
 * batches only. If they find too little in them for longer than a delivery takes, as when the key
 * waits for a retry, the limit doubles again and again.
 */
final class ScanLimit {
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

  private ScanLimit(int smallest, int batches, LongSupplier nanoTime) {
    this.smallest = smallest;
    this.batches = batches;
    this.nanoTime = nanoTime;
  }

  /** For claims: enough that a busy key hardly ever keeps others from being found. */
  static ScanLimit ofClaims(LongSupplier nanoTime) {
    return new ScanLimit(4096, 8, nanoTime);
  }

  /** For surveys, which keep others waiting: what takes a millisecond or so. */
  static ScanLimit ofSurveys(LongSupplier nanoTime) {
    return new ScanLimit(1024, 2, nanoTime);
  }

  /** The rows to scan for a batch of the given size. */
  synchronized int rows(int batchSize) {
    return (int) Math.min(LARGEST, Math.max(smallest, (long) batchSize * batches) * factor);
  }

  /**
   * Learns from a claim.
   *
   * @param rows how many rows it could scan
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
