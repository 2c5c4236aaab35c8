package dev.postcommit.bench.consume;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes the time from the first of many events to the last. */
final class Stopwatch {
  private final int events;
  private final AtomicInteger counted = new AtomicInteger();
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile long first;
  private volatile long last;

  Stopwatch(int events) {
    this.events = events;
  }

  void count() {
    int number = counted.incrementAndGet();
    if (number == 1) {
      first = System.nanoTime();
    }
    if (number == events) {
      last = System.nanoTime();
      end.countDown();
    }
  }

  Duration await() throws InterruptedException {
    end.await();
    return Duration.ofNanos(last - first);
  }
}
