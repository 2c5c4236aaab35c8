package dev.postcommit.relay.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether one of the relay's two neighbours can be used; tells of each change once. */
final class Availability {
  private static final Logger log = LoggerFactory.getLogger(Availability.class);

  /** Is told of changes. */
  interface Changes {
    void lost(String reason);

    void regained(Duration outage);
  }

  private final String neighbour;
  private final Changes changes;
  private @Nullable Long lostAt;

  Availability(String neighbour, Changes changes) {
    this.neighbour = neighbour;
    this.changes = changes;
  }

  synchronized boolean isAvailable() {
    return lostAt == null;
  }

  synchronized void lost(String reason) {
    if (lostAt == null) {
      lostAt = System.nanoTime();
      log.warn("{} unavailable, waiting for it: {}", neighbour, reason);
      changes.lost(reason);
    }
  }

  synchronized void regained() {
    if (lostAt != null) {
      Duration outage = Duration.ofNanos(System.nanoTime() - lostAt);
      lostAt = null;
      log.info("{} available again after {}", neighbour, outage);
      changes.regained(outage);
    }
  }
}
