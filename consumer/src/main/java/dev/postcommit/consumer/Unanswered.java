package dev.postcommit.consumer;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What calls may have written of which a store was not told, by event. When such a call is
 * repeated, what it finds may be its own. Safe for use by many threads.
 *
 * @param <V> what tells one call's writing from another's
 */
final class Unanswered<V> {

  /** More than can be under way at once; what is not asked for again must not stay for ever. */
  private static final int MOST = 100_000;

  private final Map<String, V> values =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
          return size() > MOST;
        }
      };

  /** A call on an event was not answered. */
  synchronized void keep(String event, V value) {
    values.put(event, value);
  }

  /**
   * What the last call on an event may have written; only the first who asks is told.
   *
   * @param otherwise what is returned if the last call was answered
   */
  synchronized V take(String event, V otherwise) {
    @Nullable V kept = values.isEmpty() ? null : values.remove(event);
    return kept == null ? otherwise : kept;
  }
}
