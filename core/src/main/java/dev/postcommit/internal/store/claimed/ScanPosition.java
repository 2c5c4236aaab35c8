package dev.postcommit.internal.store.claimed;

import dev.postcommit.Ordering;
import dev.postcommit.store.ClaimRequest;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where claims start to scan the table: at the {@link Floor}, or beyond the rows of {@link
 * HotKeys}. Safe for use by many threads.
 */
final class ScanPosition {
  private final Floor floor;
  private final HotKeys hotKeys = new HotKeys();

  ScanPosition(LongSupplier nanoTime) {
    this.floor = new Floor(nanoTime);
  }

  /**
   * Where one scan starts.
   *
   * @param hotKeys the keys whose rows it skips, and the lowest seq of each
   */
  record Start(Floor.Bounds bounds, Map<String, Long> hotKeys) {}

  /** The lowest seq that may still be unsettled. */
  synchronized long floor() {
    return floor.seq();
  }

  /** Whether there are hot keys. */
  synchronized boolean hasHotKeys() {
    return !hotKeys.keys().isEmpty();
  }

  synchronized Start of(ClaimRequest request) {
    return new Start(floor.bounds(), maySkip(request) ? hotKeys.keys() : Map.of());
  }

  /** Where a scan starts that only reads rows of hot keys; null if there is nothing to read. */
  synchronized @Nullable Start ofHotKeys() {
    Floor.Bounds bounds = floor.bounds().above();
    return bounds.beyond() == 0 || !hasHotKeys() ? null : new Start(bounds, hotKeys.keys());
  }

  /** In a scope of its own a key is not held back by events of others, and without order never. */
  private static boolean maySkip(ClaimRequest request) {
    return request.ordering() == Ordering.PER_KEY && !request.isScoped();
  }

  /** Learns from a scan of hot keys. */
  synchronized void learn(Start start, Floor.Observation seen) {
    if (start.hotKeys().equals(hotKeys.keys())) {
      floor.learn(start.bounds(), seen);
    }
  }

  /**
   * Learns from a claim.
   *
   * @param rows how many rows it could scan
   * @return whether all of them are of keys that the next claims skip, so that these need not scan
   *     more
   */
  synchronized boolean learn(ClaimRequest request, Start start, ClaimRow row, int rows) {
    boolean isCurrent = start.hotKeys().equals(hotKeys.keys());
    floor.learn(
        start.bounds(), isCurrent ? row.seen() : row.seen().withBeyond(Floor.Beyond.UNKNOWN));
    if (!maySkip(request) || !isCurrent) {
      return false;
    }
    boolean isExhausted = row.scanned() >= rows;
    boolean isWhole = row.scanned() >= 0 && !isExhausted;
    if (hotKeys.learn(row.holds(), isExhausted, isWhole, row.hotKeys())) {
      floor.forgetBeyond();
    }
    boolean hasLearnt = !start.hotKeys().equals(hotKeys.keys());
    return isExhausted && (hasLearnt || (row.holds() && row.seen().beyond().lowest() == 0));
  }
}
