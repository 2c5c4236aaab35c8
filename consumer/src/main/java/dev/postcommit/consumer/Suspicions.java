package dev.postcommit.consumer;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Events whose handling fails as if the database had an outage, though it has just answered: with
 * SQLSTATE 53100, disk full, for example, or with the loss of the connection. While it may be an
 * outage, no event is to blame; but an event whose handler always fails so must not hold up the
 * others, nor be tried for ever.
 *
 * <p>At first all wait. If the same event fails so again, it is tried apart from the others; and as
 * soon as another event was handled in between, or the database took a write each time for long
 * enough, it is the event's own failure. Safe for use by many threads.
 */
final class Suspicions {
  /** As often it is taken for an outage for everybody. */
  static final int FOR_ALL = 3;

  /** As often it is taken for an outage if nobody else was handled since. */
  static final int ALONE = 20;

  /** More than can be under way at once; what is not given again must not stay for ever. */
  private static final int MOST = 10_000;

  private final Map<String, Suspicion> byEvent =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Suspicion> eldest) {
          return size() > MOST;
        }
      };
  private long handled;

  /** What is known of an event: how often it failed, and how many were handled before. */
  private static final class Suspicion {
    private final long handledBefore;
    private int count;

    Suspicion(long handledBefore) {
      this.handledBefore = handledBefore;
    }
  }

  /** An event failed so once more; returns how often it has. */
  synchronized int add(String event) {
    return ++byEvent.computeIfAbsent(event, unused -> new Suspicion(handled)).count;
  }

  /** Whether another event was handled since this one first failed so. */
  synchronized boolean othersWereHandled(String event) {
    Suspicion suspicion = byEvent.get(event);
    return suspicion != null && handled > suspicion.handledBefore;
  }

  /** Events were handled and committed. */
  synchronized void handled(Iterable<Task> tasks) {
    for (Task task : tasks) {
      handled++;
      byEvent.remove(task.id());
    }
  }
}
