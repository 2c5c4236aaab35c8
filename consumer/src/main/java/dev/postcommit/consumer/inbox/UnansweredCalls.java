package dev.postcommit.consumer.inbox;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what calls without an answer may have written, by event. When such a call is repeated,
 * the store may find its own write. Safe for use by many threads.
 *
 * @param <V> identifies the write of one call
 */
final class UnansweredCalls<V> {

  /** More than can be in flight at once; calls that are not repeated must not stay for ever. */
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
   * What the last call on an event may have written. Returned only once.
   *
   * @param otherwise the result if the last call was answered
   */
  synchronized V take(String event, V otherwise) {
    @Nullable V kept = values.isEmpty() ? null : values.remove(event);
    return kept == null ? otherwise : kept;
  }
}
