package dev.postcommit.support;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Delays that double from a first to a longest one, each shortened by up to a half at random. */
public final class Backoff {
  private final long first;
  private final long longest;
  private long next;

  /** Starts at {@code first} and doubles up to {@code longest}. */
  public Backoff(Duration first, Duration longest) {
    this.first = first.toNanos();
    this.longest = longest.toNanos();
    this.next = this.first;
  }

  /** The next delay. */
  public synchronized long nextNanos() {
    long delay = next;
    next = Math.min(next * 2, longest);
    return delay / 2 + ThreadLocalRandom.current().nextLong(delay / 2 + 1);
  }

  /** Starts again at the first delay. */
  public synchronized void reset() {
    next = first;
  }
}
