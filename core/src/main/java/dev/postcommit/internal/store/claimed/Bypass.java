package dev.postcommit.internal.store.claimed;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys that have very many rows behind one that waits or is being delivered. Claims go past these
 * rows while none of them can be claimed, instead of walking over them each time: the {@link Floor}
 * learns from where on there are others. Not safe for use by many threads.
 */
final class Bypass {
  /** How many keys may have a share of the rows that a claim looks at that is worth the trouble. */
  static final int MOST_KEYS = 16;

  /** With so many tried events that are not delivered, nothing is gone past. */
  static final int MOST_TRIED = 1_000;

  private Map<String, Long> keys = Map.of();

  /** What a claim may go past, if nothing of it can be claimed: the lowest seq of each key. */
  Map<String, Long> keys() {
    return keys;
  }

  /**
   * Learns from a claim.
   *
   * @param holds whether nothing of the keys that it was given can be claimed
   * @param isExhausted whether it saw only as many rows as it was to look at, and too few to take
   * @param isWhole whether it saw all rows that are due
   * @param hot the keys of which it saw many rows, if it is exhausted, and the lowest seq of each
   * @return whether there may be rows among those gone past so far that are not of these keys
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
