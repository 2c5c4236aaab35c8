package dev.postcommit.relay.internal;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Delays that double from a first to a longest one, each shortened by up to a half at random. */
final class Backoff {
  private final long first;
  private final long longest;
  private long next;

  Backoff(Duration first, Duration longest) {
    this.first = first.toNanos();
    this.longest = longest.toNanos();
    this.next = this.first;
  }

  synchronized long nextNanos() {
    long delay = next;
    next = Math.min(next * 2, longest);
    return delay / 2 + ThreadLocalRandom.current().nextLong(delay / 2 + 1);
  }

  synchronized void reset() {
    next = first;
  }
}
