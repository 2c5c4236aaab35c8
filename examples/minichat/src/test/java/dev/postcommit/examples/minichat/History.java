package dev.postcommit.examples.minichat;

import dev.postcommit.examples.minichat.jdbc.Sql;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import javax.sql.DataSource;

/** What the rows of the outbox have been through, as a trigger has seen it. */
final class History {
  private final DataSource chat;

  /** Begins to watch. */
  History(DataSource chat) throws SQLException {
    this.chat = chat;
    Sql.transact(
        chat,
        tx ->
            Sql.update(
                tx,
                """
                CREATE TABLE history AS SELECT *, now() AS written_at FROM modkit_outbox_events;
                CREATE FUNCTION remember() RETURNS trigger LANGUAGE plpgsql AS $$
                  BEGIN INSERT INTO history SELECT NEW.*, clock_timestamp(); RETURN NULL; END $$;
                CREATE TRIGGER remember AFTER UPDATE ON modkit_outbox_events
                  FOR EACH ROW EXECUTE FUNCTION remember()"""));
  }

  /**
   * A row whose lease has been given up.
   *
   * @param leastMs the delay before it is due, counted from the end of the statement
   * @param mostMs the delay, counted from the beginning of the transaction
   */
  record Settled(
      int attempts,
      String status,
      String lastError,
      OffsetDateTime dueAt,
      long leastMs,
      long mostMs) {}

  List<Settled> settled() throws SQLException {
    return Sql.query(
        chat,
        """
        SELECT attempts, status, last_error, next_attempt_at,
          floor(extract(epoch FROM next_attempt_at - written_at) * 1000),
          ceil(extract(epoch FROM next_attempt_at - updated_at) * 1000)
        FROM history
        WHERE status <> 'processing' AND locked_by IS NULL AND locked_until IS NULL
        ORDER BY attempts""",
        row ->
            new Settled(
                row.getInt(1),
                row.getString(2),
                row.getString(3),
                row.getObject(4, OffsetDateTime.class),
                row.getLong(5),
                row.getLong(6)));
  }
}
