package dev.postcommit.internal.store;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.Pause;
import dev.postcommit.store.OutboxAdmin.RelayPresence;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Pauses and resumes the relays of a table, and lists the relays that have registered. */
public final class Pauses {
  private static final String PAUSE =
      """
      INSERT INTO {pauses} AS p (paused, at, operator, reason)
      VALUES (true, clock_timestamp(), :operator, :reason)
      ON CONFLICT (single) DO UPDATE SET
        paused = true, at = excluded.at, operator = excluded.operator, reason = excluded.reason
      WHERE NOT p.paused""";

  private static final String RESUME =
      """
      UPDATE {pauses} SET paused = false, at = clock_timestamp(), operator = :operator, reason = :reason
      WHERE paused""";

  private static final String PAUSED = "SELECT at, operator, reason FROM {pauses} WHERE paused";

  private static final String RELAYS =
      """
      SELECT id, host, pid, version, started_at, state, since, reason, delivered, per_second,
        extract(epoch FROM clock_timestamp() - since) * 1000 AS lasting_millis,
        extract(epoch FROM clock_timestamp() - seen_at) * 1000 AS unseen_millis
      FROM {relays} ORDER BY started_at, id""";

  private final Database database;
  private final SqlTemplate template;

  public Pauses(Database database) {
    this.database = database;
    this.template = new SqlTemplate(database.layout());
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
        template.statement(text),
        to ->
            to.set("operator", decision.operator()).set("reason", decision.reason()).update() > 0);
  }

  public Optional<Pause> paused() {
    return database
        .rows(
            "read whether relays are to pause on",
            database.layout().pause(),
            template.statement(PAUSED),
            row -> read(row, "at", "operator", "reason"))
        .flatMap(pauses -> pauses.stream().flatMap(Optional::stream).findFirst());
  }

  /** The pause in a row; empty if the column of its time is null. */
  static Optional<Pause> read(ResultSet row, String at, String operator, String reason)
      throws SQLException {
    OffsetDateTime time = row.getObject(at, OffsetDateTime.class);
    return time == null
        ? Optional.empty()
        : Optional.of(new Pause(time.toInstant(), row.getString(operator), row.getString(reason)));
  }

  public Optional<List<RelayPresence>> relays() {
    return database.rows(
        "list the relays of",
        database.layout().relays(),
        template.statement(RELAYS),
        Pauses::relay);
  }

  private static RelayPresence relay(ResultSet row) throws SQLException {
    return new RelayPresence(
        row.getObject("id", UUID.class),
        row.getString("host"),
        row.getLong("pid"),
        row.getString("version"),
        time(row, "started_at"),
        row.getString("state"),
        time(row, "since"),
        millis(row, "lasting_millis"),
        row.getString("reason"),
        row.getLong("delivered"),
        row.getDouble("per_second"),
        millis(row, "unseen_millis"));
  }

  static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static Duration millis(ResultSet row, String column) throws SQLException {
    return Duration.ofMillis(Math.max(0, row.getLong(column)));
  }
}
