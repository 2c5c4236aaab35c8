package dev.postcommit.consumer;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Events that fail as if the database had an outage, although it has just answered: with SQLSTATE
 * 53100 (disk full), for example, or by losing the connection. During an outage no event is at
 * fault. But an event whose handler always fails this way must neither hold up the others nor be
 * retried for ever.
 *
 * <p>At first all events wait. If the same event fails this way again, it is handled apart from the
 * others. As soon as another event was handled in between, or the database accepted a write each
 * time for long enough, the failure is the event's own. Safe for use by many threads.
 */
final class SuspectedOutages {
  /** Up to this many failures of an event, all events wait. */
  static final int FOR_ALL = 3;

  /** Up to this many, it may be an outage if no other event was handled since. */
  static final int ALONE = 20;

  /** More than can be in flight at once; events that never come again must not stay for ever. */
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

  /** Counts a failure of an event; returns how often it has failed this way. */
  synchronized int add(String event) {
    return ++byEvent.computeIfAbsent(event, unused -> new Suspicion(handled)).count;
  }

  /** Whether another event was handled since this one first failed this way. */
  synchronized boolean othersWereHandled(String event) {
    Suspicion suspicion = byEvent.get(event);
    return suspicion != null && handled > suspicion.handledBefore;
  }

  /** Events were handled and committed. */
  synchronized void handled(Iterable<PendingEvent> events) {
    for (PendingEvent event : events) {
      handled++;
      byEvent.remove(event.id());
    }
  }
}
