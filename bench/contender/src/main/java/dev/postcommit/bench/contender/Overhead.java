package dev.postcommit.bench.contender;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * What an event adds to a business transaction: transactions with one and without, by writers that
 * go on as fast as they can.
 *
 * <p>Turns are short, a few dozen transactions, and the same for all writers. So what disturbs the
 * machine for long disturbs both turns of a pair, and what disturbs it shortly disturbs few pairs
 * of many.
 */
final class Overhead {
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Pairs of turns that come before those that count. */
  private static final int WARM_UP = 2;

  private static final int PAIRS = 8;

  private final Contender contender;
  private final int run;
  private final int bytes;
  private final int writers;
  private final AtomicInteger next = new AtomicInteger();

  Overhead(Contender contender, int run, int bytes, int writers) {
    this.contender = contender;
    this.run = run;
    this.bytes = bytes;
    this.writers = writers;
  }

  /**
   * Medians in microseconds: without an event, with one, and of the difference between the two
   * turns of a pair. Then transactions a second, without and with.
   */
  double[] measure() throws Exception {
    List<Pair> measured = Stream.generate(Pair::new).limit(PAIRS).toList();
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      long start = System.nanoTime();
      Callable<List<Transaction>> writer = () -> write(start);
      for (Future<List<Transaction>> written :
          threads.invokeAll(Collections.nCopies(writers, writer))) {
        for (Transaction transaction : written.get()) {
          measured.get(transaction.pair()).add(transaction);
        }
      }
    } finally {
      threads.shutdownNow();
    }
    List<Long> without = measured.stream().flatMap(pair -> pair.without.stream()).toList();
    List<Long> with = measured.stream().flatMap(pair -> pair.with.stream()).toList();
    List<Long> added = measured.stream().filter(Pair::isWhole).map(Pair::added).toList();
    double seconds = PAIRS * TURN_NANOS / 1e9;
    return new double[] {
      median(without) / 1e3,
      median(with) / 1e3,
      median(added) / 1e3,
      without.size() / seconds,
      with.size() / seconds
    };
  }

  private List<Transaction> write(long start) throws Exception {
    List<Transaction> written = new ArrayList<>();
    long begun = System.nanoTime();
    for (int turn = 0; turn < 2 * (WARM_UP + PAIRS); turn = (int) ((begun - start) / TURN_NANOS)) {
      boolean withEvent = turn % 2 == 1;
      write(withEvent);
      long now = System.nanoTime();
      if (turn >= 2 * WARM_UP) {
        written.add(new Transaction(turn / 2 - WARM_UP, withEvent, now - begun));
      }
      begun = now;
    }
    return written;
  }

  private void write(boolean withEvent) throws Exception {
    BenchEvent event = BenchEvent.of(run, next.getAndIncrement(), Keys.SPREAD, bytes);
    contender.inTransaction(
        (connection, enqueue) -> {
          Business.insert(connection, event);
          if (withEvent) {
            enqueue.enqueue(List.of(event));
          }
        });
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** One that was measured, by the turn in which it began. */
  private record Transaction(int pair, boolean withEvent, long nanos) {}

  /** A turn without events, and the one with events after it. */
  private static final class Pair {
    private final List<Long> without = new ArrayList<>();
    private final List<Long> with = new ArrayList<>();

    void add(Transaction transaction) {
      (transaction.withEvent() ? with : without).add(transaction.nanos());
    }

    boolean isWhole() {
      return !without.isEmpty() && !with.isEmpty();
    }

    long added() {
      return median(with) - median(without);
    }
  }
}
