package dev.postcommit.testkit.explorer.scheduler;

import java.time.Duration;

/**
 * A limit on how long to wait, for loops that check it often. A moment in which the whole machine
 * stood still, as virtual machines do while they are saved, counts as a second at most.
 */
final class Patience {
  private static final long MOST_NANOS_AT_ONCE = Duration.ofSeconds(1).toNanos();

  private long left;
  private long checkedAt = System.nanoTime();

  Patience(Duration limit) {
    left = limit.toNanos();
  }

  /** Whether the limit is exceeded. */
  boolean isOver() {
    long now = System.nanoTime();
    left -= Math.min(now - checkedAt, MOST_NANOS_AT_ONCE);
    checkedAt = now;
    return left < 0;
  }
}
