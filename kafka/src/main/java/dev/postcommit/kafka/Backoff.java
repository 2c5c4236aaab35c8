package dev.postcommit.kafka;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Delays that double from 100 ms to 10 s, each shortened by up to a half at random. */
final class Backoff {
  private static final long FIRST = Duration.ofMillis(100).toNanos();
  private static final long LONGEST = Duration.ofSeconds(10).toNanos();

  private long next = FIRST;

  long nextNanos() {
    long delay = next;
    next = Math.min(next * 2, LONGEST);
    return delay / 2 + ThreadLocalRandom.current().nextLong(delay / 2 + 1);
  }

  void reset() {
    next = FIRST;
  }
}
