package dev.postcommit.bench.measure;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** The arrivals at the consumer of a run, in order. Written by one thread, read by others. */
public final class Arrivals {
  private final IntPredicate expected;
  private final BitSet seen = new BitSet();
  private int[] numbers = new int[1 << 16];
  private long[] times = new long[1 << 16];
  private int count;
  private int distinct;

  /**
   * Creates an empty list.
   *
   * @param expected whether an event counts for {@code await}
   */
  Arrivals(IntPredicate expected) {
    this.expected = expected;
  }

  synchronized void add(int n, long time) {
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, count * 2);
      times = Arrays.copyOf(times, count * 2);
    }
    numbers[count] = n;
    times[count++] = time;
    if (!seen.get(n)) {
      seen.set(n);
      if (expected.test(n)) {
        distinct++;
      }
    }
    notifyAll();
  }

  /** Waits for a number of expected events; returns whether they arrived in time. */
  public synchronized boolean await(int events, long deadlineNanos) throws InterruptedException {
    while (distinct < events) {
      long left = deadlineNanos - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  /** Returns the number of expected events that have arrived. */
  synchronized int distinct() {
    return distinct;
  }

  /** Returns the number of messages that have arrived. */
  public synchronized int count() {
    return count;
  }

  public synchronized int number(int index) {
    return numbers[index];
  }

  public synchronized long time(int index) {
    return times[index];
  }
}
