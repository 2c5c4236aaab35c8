package dev.postcommit.internal.relay;

import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The failed attempts and dead events of one batch: a line for each, but no flood of them for one
 * reason.
 */
final class Failures {
  private static final int LINES = 10;

  private final Map<String, Integer> retried = new LinkedHashMap<>();
  private final Map<String, Integer> dead = new LinkedHashMap<>();

  void add(StoredEvent event, String reason, Duration delay) {
    EventLog.retrying(event, reason, delay, level(retried, reason, Level.WARN));
  }

  void addDead(StoredEvent event, String reason, @Nullable Throwable cause) {
    EventLog.dead(event, reason, cause, level(dead, reason, Level.ERROR));
  }

  private static Level level(Map<String, Integer> byReason, String reason, Level level) {
    return byReason.merge(reason, 1, Integer::sum) <= LINES ? level : Level.DEBUG;
  }

  /** Tells how many were left out. */
  void log() {
    log(retried, "failed and will be retried", Level.WARN);
    log(dead, "are dead", Level.ERROR);
  }

  private static void log(Map<String, Integer> byReason, String what, Level level) {
    byReason.forEach(
        (reason, count) -> {
          if (count > LINES) {
            EventLog.more(count - LINES, what, reason, level);
          }
        });
  }
}
