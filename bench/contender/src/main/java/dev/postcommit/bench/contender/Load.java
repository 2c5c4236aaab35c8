package dev.postcommit.bench.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes events at a fixed rate, one to a transaction with a row of the business.
 *
 * <p>When an event is due does not depend on how long earlier ones took, so a contender that slows
 * its writers down does not get fewer events to write, until one is so late that all writers give
 * up. The events of one key are written by one writer, in order.
 */
final class Load {
  private static final int LEAD_MILLIS = 200;

  private final Contender contender;
  private final int run;
  private final int rate;
  private final int bytes;
  private final int writers;
  private final long patienceNanos;
  private final LoadTimes times;
  private volatile boolean givenUp;

  Load(
      Contender contender,
      int run,
      int rate,
      int events,
      int bytes,
      int writers,
      int patienceMillis) {
    this.contender = contender;
    this.run = run;
    this.rate = rate;
    this.bytes = bytes;
    this.writers = writers;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    this.times = new LoadTimes(events);
  }

  LoadTimes run() throws Exception {
    long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAD_MILLIS);
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int number = writer;
        running.add(threads.submit(() -> write(number, start)));
      }
      for (Future<?> future : running) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      threads.shutdownNow();
    }
    return times;
  }

  private Void write(int writer, long start) throws Exception {
    for (int n = 0; n < times.events() && !givenUp; n++) {
      if (Keys.SPREAD.of(n) % writers == writer) {
        long due = start + n * TimeUnit.SECONDS.toNanos(1) / rate;
        times.setDue(n, due);
        await(due);
        if (System.nanoTime() - due > patienceNanos) {
          givenUp = true;
        } else {
          write(n);
        }
      }
    }
    return null;
  }

  private void write(int n) throws Exception {
    BenchEvent event = BenchEvent.of(run, n, Keys.SPREAD, bytes);
    CommitTimes.forget();
    try {
      contender.inTransaction(
          (connection, enqueue) -> {
            Business.insert(connection, event);
            enqueue.enqueue(List.of(event));
            if (LoadTimes.isRolledBack(n)) {
              throw new Rollback();
            }
          });
      times.setCommitted(n, CommitTimes.last());
    } catch (Rollback e) {
      // As it was to be.
    }
  }

  private static void await(long due) throws InterruptedException {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Ends a transaction that is not to be. */
  private static final class Rollback extends RuntimeException {
    private static final long serialVersionUID = 1;

    Rollback() {
      super("rolled back", null, false, false);
    }
  }
}
