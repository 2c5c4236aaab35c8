package dev.postcommit.internal.relay;

import dev.postcommit.internal.relay.health.WakeUp;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The wait between two attempts to reach the database or the broker, which {@link #retryNow} ends.
 * One thread at a time attempts and sleeps; any may end the wait.
 */
final class RetryWait {
  private final WakeUp wakeUp;
  private final AtomicLong requests = new AtomicLong();
  private long requestsBefore;
  private volatile boolean stopped;

  RetryWait(WakeUp wakeUp) {
    this.wakeUp = wakeUp;
  }

  /** Ends the present wait; if an attempt is under way, another follows it at once. */
  void retryNow() {
    requests.incrementAndGet();
    wakeUp.signal();
  }

  /** Ends the present wait, and all others. */
  void stop() {
    stopped = true;
    wakeUp.signal();
  }

  boolean isStopped() {
    return stopped;
  }

  /** An attempt begins. */
  void attempt() {
    requestsBefore = requests.get();
  }

  /** Waits before the next attempt, unless one was asked for since the last one began. */
  void sleep(long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    long left = nanos;
    while (left > 0 && !stopped && requests.get() == requestsBefore) {
      wakeUp.await(left);
      left = until - System.nanoTime();
    }
  }
}
