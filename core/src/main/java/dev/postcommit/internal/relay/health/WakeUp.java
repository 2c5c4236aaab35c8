package dev.postcommit.internal.relay.health;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets a thread wait for a time or for a signal, whichever comes first. A signal that comes while
 * no thread waits ends the next wait at once.
 */
public final class WakeUp {
  private final Semaphore signals = new Semaphore(0);

  /** Ends the present wait, or the next one. */
  public void signal() {
    if (signals.availablePermits() == 0) {
      signals.release();
    }
  }

  /** Waits, and consumes the signal; returns whether there was one. */
  public boolean await(long nanos) throws InterruptedException {
    boolean wasSignalled = signals.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    signals.drainPermits();
    return wasSignalled;
  }
}
