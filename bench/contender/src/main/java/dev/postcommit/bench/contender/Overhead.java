package dev.postcommit.bench.contender;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What an event adds to a business transaction: transactions with one and without, in turns of a
 * fraction of a second, by writers that go on as fast as they can.
 */
final class Overhead {
  private static final int TURNS = 4;

  private final Contender contender;
  private final int run;
  private final int bytes;
  private final int writers;
  private final long turnNanos;
  private int next;

  Overhead(Contender contender, int run, int bytes, int writers, int millis) {
    this.contender = contender;
    this.run = run;
    this.bytes = bytes;
    this.writers = writers;
    this.turnNanos = TimeUnit.MILLISECONDS.toNanos(millis) / (2L * TURNS);
  }

  /** Medians in microseconds, and transactions a second: without an event, then with one. */
  double[] measure() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      turn(threads, false);
      turn(threads, true);
      List<long[]> without = new ArrayList<>();
      List<long[]> with = new ArrayList<>();
      for (int turn = 0; turn < TURNS; turn++) {
        without.addAll(turn(threads, false));
        with.addAll(turn(threads, true));
      }
      return new double[] {median(without), median(with), rate(without), rate(with)};
    } finally {
      threads.shutdownNow();
    }
  }

  private List<long[]> turn(ExecutorService threads, boolean withEvent) throws Exception {
    long end = System.nanoTime() + turnNanos;
    List<Callable<long[]>> work = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      work.add(() -> transactions(withEvent, end));
    }
    List<long[]> durations = new ArrayList<>();
    for (Future<long[]> future : threads.invokeAll(work)) {
      durations.add(future.get());
    }
    return durations;
  }

  private long[] transactions(boolean withEvent, long end) throws Exception {
    long[] durations = new long[1_000];
    int count = 0;
    for (long start = System.nanoTime(); start < end; ) {
      BenchEvent event = BenchEvent.of(run, number(), Keys.SPREAD, bytes);
      contender.inTransaction(
          (connection, enqueue) -> {
            Business.insert(connection, event);
            if (withEvent) {
              enqueue.enqueue(List.of(event));
            }
          });
      long now = System.nanoTime();
      if (count == durations.length) {
        durations = Arrays.copyOf(durations, count * 2);
      }
      durations[count++] = now - start;
      start = now;
    }
    return Arrays.copyOf(durations, count);
  }

  private synchronized int number() {
    return next++;
  }

  private double rate(List<long[]> durations) {
    long transactions = durations.stream().mapToLong(writer -> writer.length).sum();
    return transactions * 1e9 / (turnNanos * TURNS);
  }

  private static double median(List<long[]> durations) {
    long[] all = durations.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return all[all.length / 2] / 1e3;
  }
}
