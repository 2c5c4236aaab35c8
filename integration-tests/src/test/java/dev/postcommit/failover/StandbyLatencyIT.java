package dev.postcommit.failover;

import static dev.postcommit.failover.Replication.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What it costs to wait for a standby on the same machine: the time from before a commit to the
 * hand-over to the publisher. Run on demand, with {@code -Dstandby.rate=800}.
 */
@EnabledIfSystemProperty(named = "standby.rate", matches = "\\d+")
class StandbyLatencyIT {
  private static final Logger log = LoggerFactory.getLogger(StandbyLatencyIT.class);
  private static final int WRITERS = 4;
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration MEASURED = Duration.ofSeconds(12);

  @Test
  void waitingCostsSomeMilliseconds() {
    int rate = Integer.getInteger("standby.rate");
    try (PostgresServer primary = Replication.server().start();
        PostgresServer standby = Replication.standbyOf(primary, "replica1");
        PostgresDatabase database = primary.createDatabase()) {
      for (LayoutSample sample : List.of(Samples.NATIVE, Samples.LOG)) {
        OutboxMigration.migrate(database.dataSource(), sample.layout());
        for (int each : new int[] {rate, 20}) {
          log.info("{}", measure(database, sample, each, false));
          log.info("{}", measure(database, sample, each, true));
        }
      }
      assertThat(Replication.text(standby.dataSource(), "SELECT pg_is_in_recovery()::text"))
          .contains("true");
    }
  }

  private static String measure(
      PostgresDatabase database, LayoutSample sample, int rate, boolean waits) {
    Layout layout = sample.layout();
    Map<String, Long> begun = new ConcurrentHashMap<>();
    ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
    long start = System.nanoTime();
    Publisher publisher =
        Publisher.callback(
            Duration.ofSeconds(1),
            message -> {
              long now = System.nanoTime();
              Long began = begun.remove(message.headers().get("event_id"));
              if (began != null && now - start > WARM_UP.toNanos()) {
                nanos.add(now - began);
              }
            });
    Relay.Builder builder = Relay.builder(database.dataSource(), publisher).layout(layout);
    if (waits) {
      builder.waitForStandbys(1, List.of("replica1"));
    }
    try (Relay relay = builder.build()) {
      relay.start();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(new Thread(() -> write(database, sample, begun, rate, writer, start)));
      }
      writers.forEach(Thread::start);
      for (Thread writer : writers) {
        join(writer);
      }
      await(begun::isEmpty);
    }
    List<Long> sorted = nanos.stream().sorted().toList();
    return "%s, %d events/s, %s: p50 %.1f ms, p99 %.1f ms, of %d"
        .formatted(
            layout.name(),
            rate,
            waits ? "waiting for a standby" : "not waiting",
            sorted.get(sorted.size() / 2) / 1e6,
            sorted.get(sorted.size() * 99 / 100) / 1e6,
            sorted.size());
  }

  /** Writes at times that are fixed beforehand, whatever each takes. */
  private static void write(
      PostgresDatabase database,
      LayoutSample sample,
      Map<String, Long> begun,
      int rate,
      int writer,
      long start) {
    Outbox outbox = Outbox.builder(sample.layout()).build();
    long period = Duration.ofSeconds(1).toNanos() * WRITERS / rate;
    long until = start + WARM_UP.plus(MEASURED).toNanos();
    try (Connection tx = database.dataSource().getConnection()) {
      tx.setAutoCommit(false);
      for (long due = start + writer * period / WRITERS; due < until; due += period) {
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        String id =
            outbox
                .enqueue(tx, sample.event().apply("key-" + due % 97).json("{\"k\":1}").build())
                .id()
                .toString();
        begun.put(id, System.nanoTime());
        tx.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
