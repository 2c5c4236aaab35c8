package dev.postcommit.relay.internal;

import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.event.Level;

/** The failed attempts of one batch: a line for each event, but no flood of them for one reason. */
final class Failures {
  private static final int LINES = 10;

  private final Map<String, Integer> byReason = new LinkedHashMap<>();

  void add(StoredEvent event, String reason, Duration delay) {
    int count = byReason.merge(reason, 1, Integer::sum);
    EventLog.retrying(event, reason, delay, count <= LINES ? Level.WARN : Level.DEBUG);
  }

  /** Tells how many were left out. */
  void log() {
    byReason.forEach(
        (reason, count) -> {
          if (count > LINES) {
            EventLog.more(count - LINES, reason);
          }
        });
  }
}
