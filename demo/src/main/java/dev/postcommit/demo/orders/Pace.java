package dev.postcommit.demo.orders;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Spreads the work of a writer over a period, in bursts, so that relays sometimes have a backlog.
 */
public final class Pace {
  private static final long BURST_NANOS = Duration.ofMillis(400).toNanos();

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final long startedAt = System.nanoTime();
  private final double unitsPerNano;

  /** Spreads {@code units} over {@code time}, starting now. */
  public Pace(int units, Duration time) {
    unitsPerNano = units / (double) time.toNanos();
  }

  /** Waits until the unit after {@code done} others is due; returns false if it was stopped. */
  boolean await(int done) throws InterruptedException {
    long bursts = (long) (done / unitsPerNano) / BURST_NANOS;
    long wait = startedAt + bursts * BURST_NANOS - System.nanoTime();
    return !stopped.await(Math.max(0, wait), TimeUnit.NANOSECONDS);
  }

  public void stop() {
    stopped.countDown();
  }
}
