package dev.postcommit.internal.relay.health;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets a thread wait for a time or until it is called, whichever comes first; a call is kept. */
public final class Signal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition called = lock.newCondition();
  private boolean pending;

  public void call() {
    lock.lock();
    try {
      pending = true;
      called.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits; returns whether it was called, and forgets the call. */
  public boolean await(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (!pending && left > 0) {
        left = called.awaitNanos(left);
      }
      boolean wasCalled = pending;
      pending = false;
      return wasCalled;
    } finally {
      lock.unlock();
    }
  }
}
