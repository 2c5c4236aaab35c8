package dev.postcommit.internal.relay.health;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Whether the relay is stopping, and whether the time for that is up. */
public final class Shutdown {
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile long deadline;

  /** Begins the shutdown, to be over after {@code time}. */
  public void begin(Duration time) {
    deadline = System.nanoTime() + time.toNanos();
    begun.countDown();
  }

  public boolean hasBegun() {
    return begun.getCount() == 0;
  }

  public boolean isOverdue() {
    return hasBegun() && System.nanoTime() - deadline >= 0;
  }

  /** Sleeps, but not into a shutdown for longer than a moment. */
  public void sleep(long nanos) throws InterruptedException {
    if (hasBegun()) {
      TimeUnit.NANOSECONDS.sleep(Math.min(nanos, Duration.ofMillis(50).toNanos()));
    } else {
      begun.await(nanos, TimeUnit.NANOSECONDS);
    }
  }
}
