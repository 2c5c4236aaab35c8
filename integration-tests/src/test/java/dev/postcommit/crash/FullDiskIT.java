package dev.postcommit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.store.Decision;
import dev.postcommit.testkit.contract.Programs;
import dev.postcommit.testkit.fault.SmallDisk;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Disks of the database and of the broker that are full, and have room again later. */
@EnabledIfEnvironmentVariable(
    named = "POSTCOMMIT_TEST_ALL",
    matches = "true",
    disabledReason = "takes minutes; POSTCOMMIT_TEST_ALL=true runs it, as root")
class FullDiskIT {
  private static final Duration PROMPTLY = Duration.ofSeconds(15);
  private static final Duration OUTAGE = WorkingScene.LEASE.plusSeconds(4);
  private static final Decision DECISION = new Decision("ada", "to gather a backlog");
  private static final String FULL = "the disk of the database is full";
  private static final int BACKLOG = 3000;

  @BeforeAll
  static void requireDisk() {
    Programs.requireSmallDisk();
  }

  @Test
  @DisplayName("a native table on a full disk waits, and is delivered when there is room")
  void aNativeTable() throws Exception {
    fullTables(CrashTable.NATIVE, "SELECT max(attempts) FROM postcommit_outbox");
  }

  @Test
  @DisplayName("so does a held table")
  void aHeldTable() throws Exception {
    fullTables(CrashTable.LOGISTIK, "SELECT max(retry_count) + 1 FROM outbox_events");
  }

  @Test
  @DisplayName("so does a modkit table")
  void aModkitTable() throws Exception {
    fullTables(CrashTable.MODKIT, "SELECT max(attempts) FROM modkit_outbox_events");
  }

  /**
   * Fills the disk of tables that have a backlog, while writers go on.
   *
   * @param attempts asks for the most attempts that an event has had, the one that succeeded too
   */
  private static void fullTables(CrashTable table, String attempts) throws Exception {
    try (SmallDisk disk = SmallDisk.mount(48);
        PostgresServer postgres = tablesOn(disk);
        KafkaServer kafka = KafkaServer.start();
        WorkingScene scene = new WorkingScene(table, postgres, kafka)) {
      ChildProcess relay = scene.relay(Map.of());
      Readiness readiness = withBacklog(scene, relay);
      disk.fill();
      scene.keepWriting();
      scene.admin().resume(DECISION);

      readiness.becomes(false, PROMPTLY);
      readiness.stays(false, OUTAGE);
      assertThat(scene.command("status")).contains(FULL);
      assertThat(readiness.metric("outbox_database_outage_seconds")).isGreaterThan(5);
      assertThat(readiness.metric("outbox_database_outages_total")).isEqualTo(1);
      disk.empty();
      readiness.becomes(true, PROMPTLY);
      scene.awaitMore();
      scene.finish();

      assertThat(scene.query(attempts)).as("attempts").isEqualTo("1");
      assertThat(warnings(relay))
          .as(relay.output())
          .isNotEmpty()
          .hasSizeLessThanOrEqualTo(2)
          .allMatch(line -> line.contains(FULL) && line.contains("(SQLSTATE 53100)"))
          .noneMatch(line -> line.contains("database unavailable"));
      assertThat(relay.output().lines().filter(line -> line.contains(" again after ")))
          .as(relay.output())
          .hasSameSizeAs(warnings(relay));
    }
  }

  @Test
  @DisplayName("a log on a full disk delivers what it has, and goes on when there is room")
  void aLog() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(48);
        PostgresServer postgres = tablesOn(disk);
        KafkaServer kafka = KafkaServer.start();
        WorkingScene scene = new WorkingScene(CrashTable.LOG, postgres, kafka)) {
      ChildProcess relay = scene.relay(Map.of());
      Readiness readiness = withBacklog(scene, relay);
      disk.fill();
      scene.keepWriting();
      scene.admin().resume(DECISION);

      // Its rows are not touched, and its cursor finds room where it was before.
      scene.awaitDelivered(PROMPTLY);
      readiness.stays(true, OUTAGE);
      disk.empty();
      scene.awaitMore();
      scene.finish();

      assertThat(scene.query("SELECT count(*) FROM postcommit_log_diverted")).isEqualTo("0");
      assertThat(warnings(relay)).as(relay.output()).isEmpty();
    }
  }

  @Test
  @DisplayName("Postgres ends when the disk of its WAL is full; nothing is lost when it is back")
  void noRoomForWal() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(96);
        PostgresServer postgres = walOn(disk);
        KafkaServer kafka = KafkaServer.start();
        WorkingScene scene = new WorkingScene(CrashTable.NATIVE, postgres, kafka)) {
      ChildProcess relay = scene.relay(Map.of());
      Readiness readiness = Readiness.of(relay);
      readiness.becomes(true, PROMPTLY);
      scene.keepWriting();
      scene.awaitMore();
      disk.fill();
      useUpWal(postgres);

      readiness.becomes(false, PROMPTLY);
      readiness.stays(false, OUTAGE);
      disk.empty();
      postgres.restart();
      readiness.becomes(true, PROMPTLY);
      scene.awaitMore();
      scene.finish();

      assertThat(warnings(relay).get(0)).contains("database unavailable, waiting for it");
    }
  }

  @Test
  @DisplayName("Kafka ends when its disk is full; nothing is lost or dead when it is back")
  void noRoomForKafka() throws Exception {
    for (CrashTable table : List.of(CrashTable.NATIVE, CrashTable.LOG)) {
      try (SmallDisk disk = SmallDisk.mount(96);
          PostgresServer postgres = PostgresServer.start();
          KafkaServer kafka =
              KafkaServer.builder().setting("log.dirs", disk.path().resolve("kafka") + "").start();
          WorkingScene scene = new WorkingScene(table, postgres, kafka)) {
        ChildProcess relay = scene.relay(Map.of());
        Readiness readiness = Readiness.of(relay);
        readiness.becomes(true, PROMPTLY);
        scene.keepWriting();
        scene.awaitMore();
        disk.fill();

        readiness.becomes(false, PROMPTLY.multipliedBy(2));
        readiness.stays(false, OUTAGE);
        disk.empty();
        kafka.restart();
        readiness.becomes(true, PROMPTLY);
        scene.awaitMore();
        scene.finish();

        assertThat(relay.output()).contains("broker unavailable, waiting for it");
      }
    }
  }

  /** Waits until a relay works, has it pause, and writes what it is to deliver later. */
  private static Readiness withBacklog(WorkingScene scene, ChildProcess relay) {
    Readiness readiness = Readiness.of(relay);
    readiness.becomes(true, PROMPTLY);
    scene.admin().pause(DECISION);
    await().atMost(PROMPTLY).until(() -> relay.output().contains("paused by ada"));
    scene.write(BACKLOG);
    return readiness;
  }

  private static List<String> warnings(ChildProcess relay) {
    return relay
        .output()
        .lines()
        .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
        .toList();
  }

  private static PostgresServer tablesOn(SmallDisk disk) throws SQLException {
    PostgresServer postgres =
        PostgresServer.builder().setting("default_tablespace", "small").start();
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      Path directory = disk.directory("tables", dataDirectory(statement));
      statement.execute("CREATE TABLESPACE small LOCATION '" + directory + "'");
      return postgres;
    }
  }

  private static PostgresServer walOn(SmallDisk disk) throws Exception {
    PostgresServer postgres =
        PostgresServer.builder()
            .setting("min_wal_size", "32MB")
            .setting("max_wal_size", "32MB")
            .start();
    Path data;
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      data = dataDirectory(statement);
    }
    postgres.stopImmediate();
    Path wal = data.resolve("pg_wal");
    Path moved = disk.path().resolve("pg_wal");
    Process move =
        new ProcessBuilder(
                "sh", "-c", "cp -a \"$1\" \"$2\" && rm -r \"$1\"", "sh", "" + wal, "" + moved)
            .inheritIO()
            .start();
    assertThat(move.waitFor()).isZero();
    Files.createSymbolicLink(wal, moved);
    postgres.restart();
    return postgres;
  }

  /** Writes until Postgres, which keeps some WAL in advance, needs more. */
  private static void useUpWal(PostgresServer postgres) {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE padding AS SELECT '' AS text");
      for (int i = 0; i < 200; i++) {
        statement.execute(
            "INSERT INTO padding SELECT repeat(md5(i::text), 60) FROM generate_series(1, 1000) i");
      }
      throw new AssertionError("there was room for all of it");
    } catch (SQLException e) {
      assertThat(e.getMessage()).isNotNull();
    }
  }

  private static Path dataDirectory(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW data_directory")) {
      row.next();
      return Path.of(row.getString(1));
    }
  }
}
