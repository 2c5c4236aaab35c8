package dev.postcommit.crash;

import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writers that commit 500 events a second in turn over 20 keys, one event in each transaction, and
 * go on within a tenth of a second after the database is back.
 */
final class SteadyWriters implements AutoCloseable {
  static final int KEYS = 20;

  /** So that a slow commit does not disturb the rhythm of all keys. */
  private static final int WRITERS = 4;

  private static final Duration RHYTHM = Duration.ofMillis(40);
  private static final Duration LONGEST_DELAY = Duration.ofMillis(200);

  private final List<SoleConnection> connections = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
  private final List<Future<?>> writing = new ArrayList<>();
  private volatile boolean finished;

  SteadyWriters(CrashTable table, PostgresServer postgres, Ledger ledger) {
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      SoleConnection connection = new SoleConnection(postgres);
      connections.add(connection);
      RecordedOutbox outbox = new RecordedOutbox(table.layout(), connection.dataSource(), ledger);
      writing.add(threads.submit(() -> write(table, outbox, writer)));
    }
  }

  private void write(CrashTable table, RecordedOutbox outbox, int writer) {
    long pause = RHYTHM.toNanos() * WRITERS / KEYS;
    long next = System.nanoTime();
    for (int n = writer; !finished; n = (n + WRITERS) % KEYS) {
      outbox.write(
          List.of(table.event().apply("key-" + n).json("{\"n\":1}").build()), false, () -> {});
      next += pause;
      long now = System.nanoTime();
      if (now - next > LONGEST_DELAY.toNanos()) {
        // What an outage kept from being written is not made up for.
        next = now;
      }
      while (next - System.nanoTime() > 0) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
  }

  /** Writes no more, and returns when the ledger knows of every event. */
  void finish() throws Exception {
    finished = true;
    for (Future<?> writer : writing) {
      writer.get(1, TimeUnit.MINUTES);
    }
  }

  @Override
  public void close() {
    finished = true;
    threads.shutdownNow();
    connections.forEach(SoleConnection::close);
  }
}
