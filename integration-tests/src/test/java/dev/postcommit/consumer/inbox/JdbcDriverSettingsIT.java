package dev.postcommit.consumer.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.fixture.DriverSettings;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Settings of the driver that change how it sends the statements of an inbox. */
class JdbcDriverSettingsIT {
  /** More than it takes the driver to prepare a statement on the server. */
  private static final int ROUNDS = 6;

  private static PostgresDatabase database;

  @BeforeAll
  static void migrate() throws SQLException {
    database = PostgresServer.shared().createDatabase();
    InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
    execute(
        "CREATE TABLE written (xid xid8, of text)",
        """
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO written VALUES (pg_current_xact_id(), NEW.event_id);
          RETURN NULL;
        END $$""",
        "CREATE TRIGGER note AFTER INSERT ON processed_events"
            + " FOR EACH ROW EXECUTE FUNCTION note()",
        "CREATE TRIGGER note AFTER INSERT ON processed_events_claim"
            + " FOR EACH ROW EXECUTE FUNCTION note()");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @FunctionalInterface
  private interface Work {
    void with(DataSource dataSource, JdbcIdempotencyStore store) throws Exception;
  }

  /** Does the work with every setting, and tells which of them fail. */
  private static void each(Work work) {
    SoftAssertions all = new SoftAssertions();
    for (String setting : DriverSettings.ALL) {
      all.assertThatCode(() -> with(setting, work)).as(setting).doesNotThrowAnyException();
    }
    all.assertAll();
  }

  private static void with(String setting, Work work) throws Exception {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(database.jdbcUrl() + "?" + setting);
    pool.setUsername(database.username());
    pool.setMaximumPoolSize(1);
    try (HikariDataSource dataSource = new HikariDataSource(pool);
        JdbcIdempotencyStore store =
            JdbcIdempotencyStore.builder(dataSource, "inventory").build()) {
      for (int round = 0; round < ROUNDS; round++) {
        work.with(dataSource, store);
      }
    }
  }

  @Test
  @DisplayName("R42: an event is handled once, however it is sent")
  void anEventIsHandledOnce() {
    each(
        (dataSource, store) -> {
          String id = UUID.randomUUID().toString();
          Mark first = begin(store, id);
          assertThat(store.begin("inventory", id)).isEqualTo(Begin.IN_PROGRESS);
          store.abandon(List.of(first));
          Mark mark = begin(store, id);
          assertThat(store.complete(mark).toCompletableFuture().join()).isTrue();
          assertThat(store.begin("inventory", id)).isEqualTo(Begin.DUPLICATE);
          String other = UUID.randomUUID().toString();
          try (Connection tx = dataSource.getConnection()) {
            tx.setAutoCommit(false);
            assertThat(
                    store.markProcessed(
                        tx,
                        List.of(
                            new ProcessedEvent(id, "t", null),
                            new ProcessedEvent(other, "t", "s"))))
                .isEqualTo(Set.of(other));
            tx.commit();
          }
        });
  }

  @Test
  @DisplayName("R42: claim and mark are one transaction, however they are sent")
  void claimAndMarkAreOneTransaction() {
    each(
        (dataSource, store) -> {
          String id = UUID.randomUUID().toString();
          assertThat(store.checkAndMarkProcessed("inventory", id, Duration.ofDays(1))).isFalse();
          assertThat(store.checkAndMarkProcessed("inventory", id, Duration.ofDays(1))).isTrue();
          assertThat(transactions(id, 2)).isEqualTo(1);

          String late = UUID.randomUUID().toString();
          Mark mark = begin(store, late);
          store.abandon(List.of(mark));
          execute("DELETE FROM written");
          assertThat(store.complete(mark).toCompletableFuture().join()).isTrue();
          assertThat(transactions(late, 2)).isEqualTo(1);
        });
  }

  private static Mark begin(JdbcIdempotencyStore store, String id) {
    return ((Begin.Proceed) store.begin("inventory", id)).mark();
  }

  /** The number of transactions that wrote the first rows of an event. */
  private static long transactions(String id, int rows) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT count(DISTINCT xid), count(*) FROM (
                  SELECT * FROM written WHERE of = '%s' ORDER BY xid LIMIT %d) w"""
                    .formatted(id, rows))) {
      row.next();
      assertThat(row.getInt(2)).isEqualTo(rows);
      return row.getLong(1);
    }
  }
}
