package dev.postcommit.internal.store.claimed;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys with very many rows behind one that waits or is being delivered. Claims skip these rows
 * while none of them can be claimed, instead of walking over them each time: the {@link Floor}
 * learns where other rows begin. Not safe for use by many threads.
 */
final class HotKeys {
  /** How many keys can each have a share of the scanned rows that is worth skipping. */
  static final int MOST_KEYS = 16;

  /** With so many tried events that are not delivered, nothing is skipped. */
  static final int MOST_TRIED = 1_000;

  private Map<String, Long> keys = Map.of();

  /** The keys, and the lowest seq of each. */
  Map<String, Long> keys() {
    return keys;
  }

  /**
   * Learns from a claim.
   *
   * @param holds whether nothing of the keys that it was given can be claimed
   * @param isExhausted whether it scanned as many rows as it could, and found too few to take
   * @param isWhole whether it scanned all rows that are due
   * @param hot the keys with many of the rows scanned, if it is exhausted, and the lowest seq of
   *     each
   * @return whether rows of other keys may be among those skipped so far
   */
  boolean learn(boolean holds, boolean isExhausted, boolean isWhole, Map<String, Long> hot) {
    if (isExhausted) {
      Map<String, Long> next = new LinkedHashMap<>(hot);
      if (holds) {
        next.putAll(keys);
      }
      if (next.size() > MOST_KEYS) {
        next = hot;
      }
      boolean isOther = !next.keySet().containsAll(keys.keySet());
      keys = Map.copyOf(next);
      return isOther;
    }
    boolean isOver = !holds && isWhole && !keys.isEmpty();
    if (isOver) {
      keys = Map.of();
    }
    return isOver;
  }
}
