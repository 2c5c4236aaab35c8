package dev.postcommit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.RetryPolicy;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutSettings;
import dev.postcommit.layout.Lifecycle;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An operator's view of a table that was there before, with columns of other types. */
class AdoptedAdminIT {
  private static final Layout LEGACY =
      new Layout(
          "legacy",
          TableName.of("shop.Events"),
          Map.of(
              Role.ID, new Column("Event No", "bigint"),
              Role.TYPE, new Column("kind", "varchar"),
              Role.KEY, new Column("customer", "int"),
              Role.PAYLOAD, new Column("body", "text"),
              Role.CREATED_AT, new Column("at", "timestamp"),
              Role.UPDATED_AT, new Column("changed", "timestamp"),
              Role.STATUS, new Column("state", "shop.state")),
          new Lifecycle.Status("new", "done", "stuck", OnDelivery.KEEP),
          RetryPolicy.DEFAULT,
          LayoutSettings.NONE,
          null);

  @Test
  @DisplayName("R38, R46: dead events of a table of one's own are found, replayed and pruned")
  void aTableOfOnesOwnIsAdministered() throws SQLException {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      execute(
          dataSource,
          "CREATE SCHEMA shop",
          "CREATE TYPE shop.state AS ENUM ('new', 'done', 'stuck')",
          """
          CREATE TABLE shop."Events" ("Event No" bigint PRIMARY KEY, kind varchar(20), customer int,
            body text, at timestamp, changed timestamp, state shop.state)""");
      OutboxMigration.migrate(dataSource, LEGACY);
      execute(
          dataSource,
          """
          INSERT INTO shop."Events" VALUES
            (1, 'placed', 7, '{}', '2026-01-01 10:00', '2026-01-01 10:00', 'stuck'),
            (2, 'paid', 8, '{}', '2026-01-01 12:00', '2026-01-01 12:00', 'stuck'),
            (3, 'placed', 7, '{}', '2026-01-01 13:00', '2026-01-01 13:00', 'done'),
            (4, 'placed', 7, '{}', '2026-01-01 14:00', now() AT TIME ZONE 'UTC', 'done')""",
          "INSERT INTO shop.\"Events_failure\" VALUES (1, '7', 5, NULL, now(), 'refused')");
      OutboxAdmin admin = OutboxAdmin.of(dataSource, LEGACY);

      DeadEvent dead = admin.dead("1").orElseThrow();
      assertThat(dead.error()).isEqualTo("refused");
      assertThat(dead.event().attempt()).isEqualTo(5);
      assertThat(dead.event().createdAt()).isEqualTo(Instant.parse("2026-01-01T10:00:00Z"));
      assertThat(admin.dead("x")).isEmpty();
      Instant noon = Instant.parse("2026-01-01T12:00:00Z");
      assertThat(admin.deadIds(new DeadFilter(null, null, null, "8", null, noon, null), 9))
          .containsExactly("2");

      assertThat(admin.replay(DeadFilter.ids(List.of("1", "x")), new Decision("ada", null)))
          .isEqualTo(1);
      assertThat(admin.status().pending()).isEqualTo(1);
      assertThat(admin.discard(DeadFilter.all(), new Decision("ada", "paid twice"))).isEqualTo(1);
      assertThat(admin.audit(10)).extracting(AuditEntry::eventId).containsExactly("2", "1");
      assertThat(admin.prune(Duration.ofHours(1), 10)).isEqualTo(1);
      assertThat(admin.status().dead()).isZero();
    }
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
