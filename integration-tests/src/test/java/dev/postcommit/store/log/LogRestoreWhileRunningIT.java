package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.await;
import static dev.postcommit.store.log.LogTable.drain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresPrograms;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A relay that runs while its log is restored from a dump of another cluster. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogRestoreWhileRunningIT {

  private static final int ROWS = 5_000;

  /** The first number that is in the partition of all other rows. */
  private static final int REST = 10_000_000;

  private final Set<String> keys = ConcurrentHashMap.newKeySet();
  private PostgresPrograms programs;
  private PostgresServer server;
  private LogTable source;
  private Path dump;
  private PostgresDatabase target;

  /** Some rows are delivered; others, in two partitions, are not. */
  @BeforeAll
  void dump(@TempDir Path directory) {
    programs = PostgresPrograms.installed();
    server = programs.start();
    source = LogTable.create(server);
    OutboxStore store = source.store();
    source.enqueue("delivered", 20);
    assertThat(drain(store)).hasSize(20);
    store.close();
    write(1, 100);
    source.query("SELECT setval('postcommit_log_seq', %d)".formatted(REST));
    write(101, ROWS);
    dump = directory.resolve("dump");
    programs.run("pg_dump", source.database(), "--format=directory", "--file=" + dump);
  }

  private void write(int from, int to) {
    source.execute(
        """
        INSERT INTO postcommit_log (id, topic, type, key, payload)
        SELECT gen_random_uuid(), 't', 't', 'k' || n, '\\x7b7d' FROM generate_series(%d, %d) AS n"""
            .formatted(from, to));
  }

  @AfterAll
  void stop() {
    if (server != null) {
      source.close();
      server.close();
    }
  }

  /** Its transaction ids are above those of the rows, which would seem to be delivered. */
  @BeforeEach
  void createTarget() {
    keys.clear();
    target = PostgresServer.shared().createDatabase();
    try (LogTable any = LogTable.create()) {
      any.execute(
          "DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
    }
  }

  @AfterEach
  void dropTarget() {
    target.close();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = target.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Relay relay() {
    Publisher publisher =
        Publisher.callback(Duration.ofSeconds(5), message -> keys.add(message.key()));
    return Relay.builder(target.dataSource(), publisher)
        .layout(LogTable.LAYOUT)
        .batchSize(1_000)
        .pollInterval(Duration.ofMillis(10))
        .build();
  }

  private List<String> misfits() {
    return LayoutCheck.of(target.dataSource(), LogTable.LAYOUT).relay();
  }

  /** Restores while the relay tries again and again. */
  private void restore(Relay relay, String... arguments) {
    CompletableFuture<Void> restored =
        CompletableFuture.runAsync(() -> programs.run("pg_restore", target, arguments));
    await(
        () -> {
          relay.retryNow();
          return restored.isDone();
        });
    restored.join();
  }

  private void awaitAll(Relay relay) {
    await(
        () -> {
          relay.retryNow();
          return keys.size() >= ROWS && keys.containsAll(List.of("k1", "k" + ROWS));
        });
    assertThat(keys.stream().filter(key -> key.startsWith("k"))).hasSize(ROWS);
  }

  @Test
  @DisplayName("R1: nothing is lost that a parallel restore loads after the cursor")
  void aParallelRestore() {
    try (Relay relay = relay()) {
      relay.start();
      await(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      restore(relay, "--jobs=2", dump.toString());
      awaitAll(relay);
    }
  }

  @Test
  @DisplayName("R1: nothing is lost of a partition that is loaded long after the cursor")
  void aRestoreInTwoParts() throws IOException {
    List<String> all = programs.output("pg_restore", "--list", dump.toString()).lines().toList();
    Predicate<String> isLate =
        line ->
            line.contains("postcommit_log_rest") && !line.matches(".* TABLE (ATTACH )?public .*");
    Path early =
        Files.write(dump.resolveSibling("early"), all.stream().filter(isLate.negate()).toList());
    Path late = Files.write(dump.resolveSibling("late"), all.stream().filter(isLate).toList());
    try (Relay relay = relay()) {
      relay.start();
      restore(relay, "--jobs=2", "--use-list=" + early, dump.toString());
      await(() -> relay.state() == Relay.State.RUNNING || !misfits().isEmpty());
      restore(relay, "--jobs=2", "--use-list=" + late, dump.toString());
      awaitAll(relay);
    }
  }

  @Test
  @DisplayName("R1: nothing is lost when the tables are replaced under a relay that leads them")
  void aRestoreOverALog() throws SQLException {
    OutboxMigration.migrate(target.dataSource(), LogTable.LAYOUT);
    try (Relay relay = relay()) {
      relay.start();
      await(() -> relay.state() == Relay.State.RUNNING);
      execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
      restore(relay, "--jobs=2", dump.toString());
      awaitAll(relay);
    }
  }
}
