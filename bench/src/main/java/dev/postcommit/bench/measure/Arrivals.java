package dev.postcommit.bench.measure;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** What has arrived at a consumer of one run, in order. Written by one thread, read by others. */
public final class Arrivals {
  private final IntPredicate expected;
  private final BitSet seen = new BitSet();
  private int[] numbers = new int[1 << 16];
  private long[] times = new long[1 << 16];
  private int count;
  private int distinct;

  /**
   * Nothing yet.
   *
   * @param expected whether an event counts towards what is awaited
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

  /** Waits until so many expected events have arrived, and says whether they did in time. */
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

  /** How many of the expected events have arrived. */
  synchronized int distinct() {
    return distinct;
  }

  /** How many messages have arrived. */
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
