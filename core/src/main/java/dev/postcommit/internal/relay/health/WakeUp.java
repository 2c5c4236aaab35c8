package dev.postcommit.internal.relay.health;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets a thread wait for a time or for a signal, whichever comes first. A signal that comes while
 * no thread waits ends the next wait at once.
 */
public final class WakeUp {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition signalled = lock.newCondition();
  private boolean pending;

  /** Ends the present wait, or the next one. */
  public void signal() {
    lock.lock();
    try {
      pending = true;
      signalled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits, and consumes the signal; returns whether there was one. */
  public boolean await(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (!pending && left > 0) {
        left = signalled.awaitNanos(left);
      }
      boolean wasPending = pending;
      pending = false;
      return wasPending;
    } finally {
      lock.unlock();
    }
  }
}
