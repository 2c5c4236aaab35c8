package dev.postcommit.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a database user needs: the right to write, and to read and change what was written. */
class PrivilegesIT {

  @Test
  @DisplayName("R1, R8: a writer needs INSERT alone; a relay no more than rights on its two tables")
  void writerAndRelayNeedFewRights() throws SQLException {
    Layout layout = Layout.nativeTable(TableName.of("Shop.Our_Outbox"));
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      OutboxMigration.migrate(database.dataSource(), layout);
      String suffix = database.name();
      execute(
          database.dataSource(),
          "CREATE ROLE writer_%1$s LOGIN".formatted(suffix),
          "CREATE ROLE relay_%1$s LOGIN".formatted(suffix),
          "GRANT USAGE ON SCHEMA \"Shop\" TO writer_%1$s, relay_%1$s".formatted(suffix),
          "GRANT INSERT ON \"Shop\".\"Our_Outbox\" TO writer_%s".formatted(suffix),
          "GRANT SELECT, UPDATE, DELETE ON \"Shop\".\"Our_Outbox\" TO relay_%s".formatted(suffix),
          "GRANT SELECT, INSERT, UPDATE, DELETE ON \"Shop\".\"Our_Outbox_claim\" TO relay_%s"
              .formatted(suffix));
      try (HikariDataSource writer = login(database, "writer_" + suffix);
          HikariDataSource relay = login(database, "relay_" + suffix)) {
        Event event = Event.builder("happened").key("k").json("1").build();
        try (Connection tx = writer.getConnection()) {
          tx.setAutoCommit(false);
          Outbox.builder(layout).build().enqueue(tx, event);
          tx.commit();
        }
        OutboxStore store = OutboxStore.of(relay, layout, UUID.randomUUID());
        Claim claim = store.claim(ClaimRequest.of(10, Duration.ofMinutes(1), 3));
        store.renew(claim, Duration.ofMinutes(1));
        store.ack(claim, event.id().toString());

        assertThat(OutboxAdmin.of(relay, layout).prune(Duration.ZERO, 10)).isEqualTo(1);
      } finally {
        execute(
            database.dataSource(),
            "DROP OWNED BY writer_%1$s, relay_%1$s".formatted(suffix),
            "DROP ROLE writer_%1$s, relay_%1$s".formatted(suffix));
      }
    }
  }

  private static HikariDataSource login(PostgresDatabase database, String user) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setUsername(user);
    pool.setMaximumPoolSize(2);
    return new HikariDataSource(pool);
  }

  private static void execute(DataSource dataSource, String... statements) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
