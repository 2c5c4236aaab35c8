package dev.postcommit.bench.contender;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What an event adds to a business transaction: transactions with one and without, by writers that
 * go on as fast as they can.
 *
 * <p>All writers change between the two every few dozen transactions. So what disturbs the machine
 * for long disturbs both turns of a pair, and what disturbs it shortly disturbs one pair of many.
 */
final class Overhead {
  /** Transactions of a writer in one turn. */
  private static final int TRANSACTIONS = 25;

  /** Pairs of turns that come before those that count. */
  private static final int WARM_UP = 2;

  private static final int PAIRS = 10;

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
    List<Turn> without = new ArrayList<>();
    List<Turn> with = new ArrayList<>();
    List<Long> added = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      for (int pair = -WARM_UP; pair < PAIRS; pair++) {
        Turn one = turn(threads, false);
        Turn other = turn(threads, true);
        if (pair >= 0) {
          without.add(one);
          with.add(other);
          added.add(median(other.durations()) - median(one.durations()));
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return new double[] {
      median(durations(without)) / 1e3,
      median(durations(with)) / 1e3,
      median(added) / 1e3,
      rate(without),
      rate(with)
    };
  }

  private Turn turn(ExecutorService threads, boolean withEvent) throws Exception {
    Callable<List<Long>> writer = () -> write(withEvent);
    List<Long> durations = new ArrayList<>();
    long start = System.nanoTime();
    for (Future<List<Long>> written : threads.invokeAll(Collections.nCopies(writers, writer))) {
      durations.addAll(written.get());
    }
    return new Turn(durations, System.nanoTime() - start);
  }

  private List<Long> write(boolean withEvent) throws Exception {
    List<Long> durations = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      BenchEvent event = BenchEvent.of(run, next.getAndIncrement(), Keys.SPREAD, bytes);
      long start = System.nanoTime();
      contender.inTransaction(
          (connection, enqueue) -> {
            Business.insert(connection, event);
            if (withEvent) {
              enqueue.enqueue(List.of(event));
            }
          });
      durations.add(System.nanoTime() - start);
    }
    return durations;
  }

  private static List<Long> durations(List<Turn> turns) {
    return turns.stream().flatMap(turn -> turn.durations().stream()).toList();
  }

  private static double rate(List<Turn> turns) {
    return durations(turns).size() * 1e9 / turns.stream().mapToLong(Turn::nanos).sum();
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /**
   * What all writers did between two changes.
   *
   * @param durations of the transactions
   * @param nanos from the first to the end of the last
   */
  private record Turn(List<Long> durations, long nanos) {}
}
