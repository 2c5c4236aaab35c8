package dev.postcommit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.server.Main;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * R37, R48: outages of the database and of the broker under load, with every default of the
 * process. They last {@code -Doutage.seconds=60} in the long form, and a few seconds otherwise;
 * {@code -Doutage.layout=log} has a log in place of the native table.
 */
@Isolated("it tells how soon a process notices")
class OutageIT {
  private static final Duration OUTAGE =
      Duration.ofSeconds(Integer.getInteger("outage.seconds", 6));
  private static final Duration PROMPTLY = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofMinutes(3);

  /** A shorter outage is waited for by what is being sent. */
  private static final Duration LONGEST_SENDING = Duration.ofSeconds(30);

  /** What a terminal shows at once. */
  private static final int SCREEN = 40;

  private final PostgresServer postgres = PostgresServer.start();
  private final KafkaServer kafka = KafkaServer.start();
  private final Ledger ledger = Ledger.create();

  @Test
  @DisplayName("R37, R48: readiness tells of outages promptly, and nothing is lost or given up")
  void outagesUnderLoad() throws Exception {
    String layout = System.getProperty("outage.layout", "native");
    CrashTable table = layout.equals("log") ? CrashTable.LOG : CrashTable.NATIVE;
    kafka.createTopic(CrashScene.TOPIC, 4);
    OutboxMigration.migrate(postgres.dataSource(), table.layout());
    OutboxAdmin admin = OutboxAdmin.of(postgres.dataSource(), table.layout());
    CrashWriter writer = new CrashWriter(table, postgres.dataSource(), ledger, new Random(1));
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Processes processes = Processes.create()) {
      Deliveries deliveries =
          new KafkaDeliveries(kafka.bootstrapServers(), CrashScene.TOPIC, ledger);
      Future<Void> reading = threads.submit(deliveries);
      ChildProcess process = relay(processes, layout);
      Readiness readiness = Readiness.of(process);
      await().atMost(LONG).until(readiness::isReady);
      AtomicBoolean enough = new AtomicBoolean();
      Future<?> writing = threads.submit(() -> writeUntil(enough, writer));

      awaitMore(deliveries);
      postgres.stopImmediate();
      readiness.becomes(false, PROMPTLY);
      readiness.stays(false, OUTAGE);
      postgres.restart();
      readiness.becomes(true, PROMPTLY);

      awaitMore(deliveries);
      kafka.kill();
      readiness.becomes(false, PROMPTLY);
      readiness.stays(false, OUTAGE);
      kafka.restart();
      readiness.becomes(true, PROMPTLY);

      awaitMore(deliveries);
      enough.set(true);
      writing.get(LONG.toSeconds(), TimeUnit.SECONDS);
      await().atMost(LONG).until(() -> ledger.outstanding() == 0 && admin.status().pending() == 0);
      process.terminate();
      assertThat(process.awaitExit(LONG)).as(process.output()).isZero();
      deliveries.finish();
      reading.get(LONG.toSeconds(), TimeUnit.SECONDS);

      System.out.printf("%s, outages of %s: %s%n", layout, OUTAGE, ledger.report());
      assertThat(admin.status().dead()).isZero();
      assertThat(ledger.report().clean()).as(ledger.report().toString()).isTrue();
      List<String> log = process.output().lines().toList();
      assertThat(log)
          .as("the log of it all")
          .hasSizeLessThan(SCREEN)
          .anyMatch(line -> line.contains("database unavailable, waiting for it"))
          .anyMatch(line -> line.contains("database available again after"))
          .anyMatch(line -> line.contains("not ready, the broker does not answer"))
          .anyMatch(line -> line.contains("the broker answers"));
      if (OUTAGE.compareTo(LONGEST_SENDING) > 0) {
        assertThat(log)
            .anyMatch(line -> line.contains("broker unavailable, waiting for it"))
            .anyMatch(line -> line.contains("broker available again after"));
      }
    } finally {
      threads.shutdownNow();
      kafka.close();
      postgres.close();
    }
  }

  private ChildProcess relay(Processes processes, String layout) {
    return processes
        .java(Main.class)
        .arguments("relay")
        .environment("POSTCOMMIT_DATABASE_URL", postgres.jdbcUrl())
        .environment("POSTCOMMIT_DATABASE_USER", postgres.username())
        .environment("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers())
        .environment("POSTCOMMIT_HTTP_PORT", "0")
        .environment("POSTCOMMIT_LAYOUT", layout)
        .start();
  }

  private static void writeUntil(AtomicBoolean enough, CrashWriter writer) {
    while (!enough.get()) {
      writer.write(1);
    }
  }

  private static void awaitMore(Deliveries deliveries) {
    int before = deliveries.messages();
    await().atMost(LONG).until(() -> deliveries.messages() > before + 300);
  }
}
