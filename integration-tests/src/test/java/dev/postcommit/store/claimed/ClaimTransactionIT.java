package dev.postcommit.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.fixture.SentStatements;
import dev.postcommit.fixture.TableShape;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The transaction of a claim, when something is wrong with it. */
class ClaimTransactionIT {
  private static final ClaimRequest REQUEST = ClaimRequest.of(10, Duration.ofMinutes(5), 3);

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();

  @AfterEach
  void close() {
    database.close();
  }

  /** One connection, so that each of two who use it gets what the other left. */
  private HikariDataSource oneConnection(String setting) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(database.jdbcUrl() + setting);
    pool.setUsername(database.username());
    pool.setMaximumPoolSize(1);
    return new HikariDataSource(pool);
  }

  private void write(Layout layout) throws SQLException {
    OutboxMigration.migrate(database.dataSource(), layout);
    try (Connection tx = database.dataSource().getConnection()) {
      tx.setAutoCommit(false);
      Outbox.builder(layout)
          .build()
          .enqueue(tx, Event.builder("happened").tenant(new UUID(1, 1)).json("1").build());
      tx.commit();
    }
  }

  @Test
  @DisplayName("R16: a claim whose lock is gone when it picks events takes none, and says why")
  void aClaimWithoutItsLockTakesNothing() throws SQLException {
    for (Layout layout : new Layout[] {Layout.nativeTable(), Layout.preset("modkit")}) {
      write(layout);
      try (HikariDataSource pool = oneConnection("?preferQueryMode=simple")) {
        DataSource careless =
            SentStatements.rewriting(
                pool,
                sql -> sql.replaceAll("^BEGIN;", "SELECT 1;").replaceAll("COMMIT$", "SELECT 1"));
        OutboxStore store = OutboxStore.of(careless, layout, UUID.randomUUID());

        assertThatThrownBy(() -> store.claim(REQUEST))
            .isInstanceOf(PostcommitException.class)
            .hasMessageContaining("its lock was gone before they were picked");
        assertThat(OutboxStore.of(pool, layout, UUID.randomUUID()).claim(REQUEST).events())
            .hasSize(1)
            .allMatch(event -> event.attempt() == 1);
      }
    }
  }

  @Test
  @DisplayName("a claim that fails leaves no transaction on its connection")
  void aFailedClaimLeavesItsConnectionClean() throws SQLException {
    Map<Layout, String> needed =
        Map.of(
            Layout.nativeTable(), "postcommit_outbox_claim",
            Layout.preset("modkit"), "modkit_outbox_events",
            Layout.log(), "postcommit_log_diverted");
    for (Map.Entry<Layout, String> entry : needed.entrySet()) {
      write(entry.getKey());
      for (String setting : new String[] {"", "?preferQueryMode=simple"}) {
        try (HikariDataSource pool = oneConnection(setting)) {
          OutboxStore store = OutboxStore.of(pool, entry.getKey(), UUID.randomUUID());
          store.claim(REQUEST);
          execute("ALTER TABLE " + entry.getValue() + " RENAME TO gone");

          assertThatThrownBy(() -> store.claim(REQUEST))
              .isInstanceOf(PostcommitException.class)
              .hasMessageContaining("42P01");

          assertThat(isInTransaction(pool)).isFalse();
          execute("ALTER TABLE gone RENAME TO " + entry.getValue());
          store.claim(REQUEST);
          store.close();
        }
      }
    }
  }

  private void execute(String sql) throws SQLException {
    TableShape.execute(database.dataSource(), sql);
  }

  /** Two statements are two transactions, unless there is one around them. */
  private static boolean isInTransaction(DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT set_config('test.local', 'seen', true)");
      try (ResultSet row = statement.executeQuery("SELECT current_setting('test.local', true)")) {
        row.next();
        return "seen".equals(row.getString(1));
      }
    }
  }
}
