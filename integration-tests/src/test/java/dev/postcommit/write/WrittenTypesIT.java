package dev.postcommit.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Ids and versions in columns of the types that adopted tables have for them. */
class WrittenTypesIT {
  /** More than it takes the driver to prepare a statement, and Postgres to keep its plan. */
  private static final int EVENTS = 12;

  @Test
  void idsAreWrittenToColumnsOfAnyTypeThatHoldsThem() throws SQLException {
    for (String type : List.of("text", "varchar")) {
      writes(Role.ID, type);
    }
  }

  @Test
  void versionsAreWrittenToColumnsOfAnyTypeThatHoldsThem() throws SQLException {
    for (String type : List.of("bigint", "smallint", "numeric", "text")) {
      writes(Role.VERSION, type);
    }
  }

  private static void writes(Role role, String type) throws SQLException {
    Layout preset = Layout.nativeTable();
    Column column = new Column(preset.required(role).name(), type);
    Layout layout = preset.withColumn(role, column);
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, preset);
      Outbox outbox = Outbox.builder(layout).build();
      List<String> written = new ArrayList<>();
      try (Connection tx = dataSource.getConnection();
          Statement statement = tx.createStatement()) {
        statement.execute(
            "ALTER TABLE %s ALTER %s TYPE %s"
                .formatted(layout.table().sql(), column.sql(), column.type()));
        tx.setAutoCommit(false);
        for (int n = 1; n <= EVENTS; n++) {
          outbox.enqueue(tx, event(n, written).build());
          outbox.enqueue(tx, event(n, written).header("n", "" + n).build());
          outbox.enqueue(tx, event(n, written).tenant(new UUID(0, n)).build());
          outbox.enqueueAll(tx, List.of(event(n, written).build(), event(n, written).build()));
        }
        tx.commit();
      }
      assertThat(rows(dataSource, layout)).as("%s %s", role, type).isEqualTo(written);
    }
  }

  private static Event.Builder event(int version, List<String> written) {
    UUID id = UUID.randomUUID();
    written.add(id + " " + version);
    return Event.builder("happened").id(id).version(version).json("1");
  }

  private static List<String> rows(DataSource dataSource, Layout layout) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT id || ' ' || version FROM " + layout.table().sql() + " ORDER BY seq")) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }
}
