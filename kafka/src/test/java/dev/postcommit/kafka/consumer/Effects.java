package dev.postcommit.kafka.consumer;

import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** A table in which handlers leave their effects, one row for each, as often as they happen. */
final class Effects {

  /** An effect of an event, in the order in which they happened. */
  record Effect(String eventId, String key, long pid, long serial) {}

  private final DataSource database;

  /** Creates the table, and those of an inbox. */
  Effects(DataSource database) {
    this.database = database;
    InboxMigration.migrate(database, TableName.of("processed_events"));
    run(
        """
        CREATE TABLE effect (
          event_id text NOT NULL,
          key text,
          pid bigint NOT NULL,
          serial bigint GENERATED ALWAYS AS IDENTITY
        )
        """);
  }

  static void write(Connection connection, ReceivedEvent<?> event, long pid) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (event_id, key, pid) VALUES (?, ?, ?)")) {
      insert.setString(1, event.id());
      insert.setString(2, event.key());
      insert.setLong(3, pid);
      insert.executeUpdate();
    }
  }

  /** All effects, the first to happen first. */
  List<Effect> all() {
    return query(
        "SELECT event_id, key, pid, serial FROM effect ORDER BY serial",
        row -> new Effect(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)));
  }

  /** How many events had an effect. */
  int events() {
    return query("SELECT count(DISTINCT event_id) FROM effect", row -> row.getInt(1)).get(0);
  }

  /** How many effects each process has had. */
  Map<Long, Integer> byProcess() {
    Map<Long, Integer> counts = new TreeMap<>();
    query(
        "SELECT pid, count(*) FROM effect GROUP BY pid",
        row -> counts.put(row.getLong(1), row.getInt(2)));
    return counts;
  }

  List<String> processed() {
    return query("SELECT event_id FROM processed_events", row -> row.getString(1));
  }

  /** The states of the sessions that a process has with Postgres. */
  List<String> sessions(long pid) {
    return query(
        "SELECT state FROM pg_stat_activity WHERE application_name = '%s'"
            .formatted(ConsumerProcess.name(pid)),
        row -> String.valueOf(row.getString(1)));
  }

  /** The transactions in which a process has had effects that it has not committed. */
  List<String> openTransactions(long pid) {
    return query(
        """
        SELECT backend_xid FROM pg_stat_activity
        WHERE application_name = '%s' AND state = 'idle in transaction'
          AND query LIKE 'INSERT INTO effect%%'
        """
            .formatted(ConsumerProcess.name(pid)),
        row -> row.getString(1));
  }

  /** How many effects a transaction has had. */
  int ofTransaction(String xid) {
    return query(
            "SELECT count(*) FROM effect WHERE xmin = CAST('%s' AS xid)".formatted(xid),
            row -> row.getInt(1))
        .get(0);
  }

  void run(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> query(String sql, Reader<T> reader) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<T> read = new ArrayList<>();
      while (rows.next()) {
        read.add(reader.read(rows));
      }
      return read;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
