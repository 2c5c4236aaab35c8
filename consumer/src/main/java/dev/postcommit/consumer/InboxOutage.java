package dev.postcommit.consumer;

import dev.postcommit.support.DurationText;
import dev.postcommit.support.LogText;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks whether the inbox of a consumer answers. The next attempt waits for about a quarter of the
 * outage so far, so that many threads need no common count of attempts.
 */
final class InboxOutage {
  private static final Logger log = LoggerFactory.getLogger(InboxOutage.class);
  private static final long SHORTEST = Duration.ofMillis(100).toNanos();
  private static final long LONGEST = Duration.ofSeconds(10).toNanos();

  private final String consumer;
  private final ConsumerListeners listeners;
  private volatile boolean lost;
  private long since;

  InboxOutage(String consumer, ConsumerListeners listeners) {
    this.consumer = consumer;
    this.listeners = listeners;
  }

  /** The inbox did not answer; returns how long to wait before the next attempt. */
  synchronized Duration lost(String reason) {
    if (!lost) {
      lost = true;
      since = System.nanoTime();
      log.warn(
          "the inbox of {} is unavailable, nothing is handled: {}", consumer, LogText.line(reason));
      listeners.tell(to -> to.inboxUnavailable(reason));
    }
    long delay = Math.max(SHORTEST, Math.min(LONGEST, (System.nanoTime() - since) / 4));
    return Duration.ofNanos(delay / 2 + ThreadLocalRandom.current().nextLong(delay / 2 + 1));
  }

  /** The inbox has answered. */
  void regained() {
    if (lost) {
      end();
    }
  }

  private synchronized void end() {
    if (lost) {
      lost = false;
      Duration outage = Duration.ofNanos(System.nanoTime() - since);
      log.info(
          "the inbox of {} is available again after {}", consumer, DurationText.spoken(outage));
      listeners.tell(to -> to.inboxRecovered(outage));
    }
  }
}
