package dev.postcommit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.server.Main;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A writer, relay processes and a consumer at work, on servers to which the test does things. */
final class WorkingScene implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(8);

  private static final Duration LONG = Duration.ofMinutes(3);
  private static final int SOME = 300;

  private final CrashTable table;
  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final Processes processes = Processes.create();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Ledger ledger = Ledger.create();
  private final List<ChildProcess> relays = new ArrayList<>();
  private final OutboxAdmin admin;
  private final CrashWriter writer;
  private final Deliveries deliveries;
  private final Future<Void> reading;
  private final List<Future<?>> writing = new ArrayList<>();
  private final ReentrantLock turn = new ReentrantLock(true);
  private volatile boolean enough;

  WorkingScene(CrashTable table, PostgresServer postgres, KafkaServer kafka) {
    this.table = table;
    this.postgres = postgres;
    this.kafka = kafka;
    kafka.createTopic(CrashScene.TOPIC, 4);
    OutboxMigration.migrate(postgres.dataSource(), table.layout());
    admin = OutboxAdmin.of(postgres.dataSource(), table.layout());
    writer = new CrashWriter(table, postgres.dataSource(), ledger, new Random(1));
    deliveries = new KafkaDeliveries(kafka.bootstrapServers(), CrashScene.TOPIC, ledger);
    reading = threads.submit(deliveries);
  }

  /** Starts a relay with some more variables in its environment. */
  ChildProcess relay(Map<String, String> environment) {
    Processes.Builder builder =
        process("relay")
            .arguments("--lease", LEASE.toString(), "--http-port", "0")
            .arguments("--kafka-config", "delivery.timeout.ms=4000")
            .arguments("--kafka-config", "request.timeout.ms=1000")
            .arguments("--kafka-config", "max.block.ms=500");
    environment.forEach(builder::environment);
    if (table.equals(CrashTable.MODKIT)) {
      // It has no number of its own.
      builder.arguments("--max-attempts", "10");
    }
    ChildProcess relay = builder.start();
    relays.add(relay);
    return relay;
  }

  private Processes.Builder process(String command) {
    return processes
        .java(Main.class)
        .jvmOptions("-Xmx192m")
        .arguments(command)
        .environment("POSTCOMMIT_DATABASE_URL", postgres.jdbcUrl())
        .environment("POSTCOMMIT_DATABASE_USER", postgres.username())
        .environment("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers())
        .environment("POSTCOMMIT_LAYOUT", table.layout().name());
  }

  /** What a command prints. */
  String command(String name) {
    ChildProcess command = process(name).start();
    assertThat(command.awaitExit(LONG)).as(command.output()).isZero();
    return command.output();
  }

  OutboxAdmin admin() {
    return admin;
  }

  /** Writes some events, and returns when they are committed. */
  void write(int events) {
    writer.write(events);
  }

  /** Writes events until {@link #finish}. */
  void keepWriting() {
    writing.add(
        threads.submit(
            () -> {
              while (!enough) {
                turn.lock();
                try {
                  writer.write(1);
                } finally {
                  turn.unlock();
                }
              }
            }));
  }

  /** Does something while nothing is written, and all that was is delivered. */
  void whileIdle(Runnable action) {
    turn.lock();
    try {
      awaitDelivered(LONG);
      action.run();
    } finally {
      turn.unlock();
    }
  }

  /** Waits until some more messages have come. */
  void awaitMore() {
    int before = deliveries.messages();
    await()
        .atMost(LONG)
        .conditionEvaluationListener(state -> assertAlive())
        .until(() -> deliveries.messages() > before + SOME);
  }

  private void assertAlive() {
    relays.forEach(relay -> assertThat(relay.alive()).as(relay.output()).isTrue());
  }

  /** Waits until every committed event has arrived and is settled. */
  void awaitDelivered(Duration within) {
    await().atMost(within).until(() -> ledger.outstanding() == 0 && admin.status().pending() == 0);
  }

  /** Writes no more, and requires that all arrived in order, and that relays end in order. */
  void finish() throws Exception {
    enough = true;
    for (Future<?> each : writing) {
      each.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
    awaitDelivered(LONG);
    for (ChildProcess relay : relays) {
      relay.terminate();
      assertThat(relay.awaitExit(LONG)).as(relay.output()).isZero();
    }
    deliveries.finish();
    reading.get(LONG.toSeconds(), TimeUnit.SECONDS);
    admin.deadIds(DeadFilter.all(), Integer.MAX_VALUE).forEach(ledger::dead);
    System.out.printf("%s: %s%n", table.layout().name(), ledger.report());
    assertThat(admin.status().dead()).as(logs()).isZero();
    assertThat(ledger.report().clean()).as(ledger.report() + "\n" + logs()).isTrue();
  }

  String logs() {
    StringBuilder logs = new StringBuilder();
    relays.forEach(relay -> logs.append(relay.pid()).append(":\n").append(relay.output()));
    return logs.toString();
  }

  /** The one value of a query. */
  String query(String sql) {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    processes.close();
  }
}
