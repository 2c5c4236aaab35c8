package dev.postcommit.internal.store;

import dev.postcommit.internal.jdbc.Catalogue;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.Pause;
import dev.postcommit.store.OutboxAdmin.RelayPresence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The operator's side of the tables in which relays show themselves and are told to pause. */
public final class Pauses {
  private static final String PAUSE =
      """
      INSERT INTO {pauses} AS p (paused, at, operator, reason) VALUES (true, clock_timestamp(), ?, ?)
      ON CONFLICT (single) DO UPDATE SET
        paused = true, at = excluded.at, operator = excluded.operator, reason = excluded.reason
      WHERE NOT p.paused""";

  private static final String RESUME =
      """
      UPDATE {pauses} SET paused = false, at = clock_timestamp(), operator = ?, reason = ?
      WHERE paused""";

  private static final String PAUSED = "SELECT at, operator, reason FROM {pauses} WHERE paused";

  private static final String RELAYS =
      """
      SELECT id, host, pid, version, started_at, state, since, reason, delivered, per_second,
        extract(epoch FROM clock_timestamp() - since) * 1000,
        extract(epoch FROM clock_timestamp() - seen_at) * 1000
      FROM {relays} ORDER BY started_at, id""";

  private final Database database;
  private final Map<String, String> names;

  public Pauses(Database database) {
    this.database = database;
    Layout layout = database.layout();
    this.names = Map.of("relays", layout.relays().sql(), "pauses", layout.pause().sql());
  }

  public boolean pause(Decision decision) {
    return decide("pause", PAUSE, decision);
  }

  public boolean resume(Decision decision) {
    return decide("resume", RESUME, decision);
  }

  private boolean decide(String what, String text, Decision decision) {
    return database.run(
        what,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(render(text))) {
            statement.setString(1, decision.operator());
            statement.setString(2, decision.reason());
            return statement.executeUpdate() > 0;
          }
        });
  }

  public Optional<Pause> paused() {
    return database.run(
        "read whether relays are to pause on",
        connection -> {
          if (new Catalogue(connection).table(database.layout().pause()).isEmpty()) {
            return Optional.empty();
          }
          try (PreparedStatement statement = connection.prepareStatement(render(PAUSED));
              ResultSet row = statement.executeQuery()) {
            return row.next() ? read(row) : Optional.empty();
          }
        });
  }

  /** The pause in the first columns of a row: time, operator, reason; empty if they are null. */
  static Optional<Pause> read(ResultSet row) throws SQLException {
    OffsetDateTime at = row.getObject(1, OffsetDateTime.class);
    return at == null
        ? Optional.empty()
        : Optional.of(new Pause(at.toInstant(), row.getString(2), row.getString(3)));
  }

  public Optional<List<RelayPresence>> relays() {
    return database.run("list the relays of", this::relays);
  }

  private Optional<List<RelayPresence>> relays(Connection connection) throws SQLException {
    if (new Catalogue(connection).table(database.layout().relays()).isEmpty()) {
      return Optional.empty();
    }
    List<RelayPresence> relays = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(render(RELAYS));
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        relays.add(
            new RelayPresence(
                row.getObject(1, UUID.class),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                time(row, 5),
                row.getString(6),
                time(row, 7),
                millis(row, 11),
                row.getString(8),
                row.getLong(9),
                row.getDouble(10),
                millis(row, 12)));
      }
    }
    return Optional.of(List.copyOf(relays));
  }

  private static Instant time(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static Duration millis(ResultSet row, int column) throws SQLException {
    return Duration.ofMillis(Math.max(0, row.getLong(column)));
  }

  private String render(String statement) {
    return new SqlTemplate(database.layout()).render(statement, names);
  }
}
