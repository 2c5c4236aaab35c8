package dev.postcommit.internal.store;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.check.Privilege;
import dev.postcommit.internal.check.PrivilegeCheck;
import dev.postcommit.internal.check.PrivilegeCheck.Lack;
import dev.postcommit.internal.check.Privileges.Task;
import dev.postcommit.internal.jdbc.Catalogue;
import dev.postcommit.internal.jdbc.Catalogue.Table;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.store.RelaySession.Backend;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.OutboxAdmin.Pause;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The row by which one relay shows that it is there. Whoever writes it learns whether the table is
 * paused, in the same round trip.
 *
 * <p>The tables for that need not be there, and the user need not have rights on them: {@link
 * #look} finds out what can be used, so that no statement fails for it. For use by one thread.
 */
public final class RelayRow {

  /**
   * Who a relay is.
   *
   * @param version that of Postcommit, or null if it is not known
   */
  public record Identity(UUID id, String host, long pid, @Nullable String version) {

    /** A relay of this process. */
    public static Identity ofThisProcess(UUID id) {
      return new Identity(
          id,
          hostName(),
          ProcessHandle.current().pid(),
          RelayRow.class.getPackage().getImplementationVersion());
    }

    private static String hostName() {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "unknown";
      }
    }
  }

  /**
   * How a relay stands.
   *
   * @param uptime how long ago it was started
   * @param state a word
   * @param lasting how long it has been so, at least
   * @param reason why, or null if there is nothing to say
   * @param delivered how many events it has delivered
   */
  public record Standing(
      Duration uptime, String state, Duration lasting, @Nullable String reason, long delivered) {}

  /** A relay not seen for so long is forgotten. */
  private static final String FORGOTTEN = "interval '1 minute'";

  private static final int MAX_REASON_LENGTH = 300;
  private static final int TIMEOUT_SECONDS = 5;
  private static final String WRONG_STATEMENT_CLASS = "42";

  private static final String KEEP =
      """
      WITH kept AS (
        INSERT INTO {relays} AS r
          (id, host, pid, version, started_at, seen_at, state, since, reason, delivered,
          backend_pid, backend_started_at, server_started_at)
        VALUES (?, ?, ?, ?, clock_timestamp() - ? * interval '1 ms', clock_timestamp(),
          ?, clock_timestamp() - ? * interval '1 ms', ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET
          seen_at = excluded.seen_at, state = excluded.state,
          since = CASE WHEN r.state = excluded.state THEN r.since ELSE excluded.since END,
          reason = excluded.reason, delivered = excluded.delivered,
          per_second = (excluded.delivered - r.delivered)
            / greatest(extract(epoch FROM excluded.seen_at - r.seen_at), 0.001),
          backend_pid = excluded.backend_pid, backend_started_at = excluded.backend_started_at,
          server_started_at = excluded.server_started_at),
      forgotten AS (
        DELETE FROM {relays} WHERE id IN (
          SELECT id FROM {relays} WHERE seen_at < clock_timestamp() - {forgotten}
            AND (undecided_until >= clock_timestamp()) IS NOT TRUE
          FOR UPDATE SKIP LOCKED))
      """;

  /** One row, of nulls if the table is not paused. */
  private static final String OBEY =
      """
      SELECT p.at, p.operator, p.reason
      FROM (SELECT set_config('synchronous_commit', 'off', true)) s LEFT JOIN {pauses} p ON p.paused""";

  private static final String NOTHING_TO_OBEY =
      """
      SELECT CAST(NULL AS timestamptz), CAST(NULL AS text), CAST(NULL AS text),
        set_config('synchronous_commit', 'off', true)""";

  private static final String REMOVE = "DELETE FROM {relays} WHERE id = ?";

  private final Database database;
  private final Map<String, String> names;
  private boolean keeps;
  private boolean obeys;
  private @Nullable UUID kept;

  /** No I/O yet. */
  public RelayRow(DataSource dataSource, Layout layout) {
    this.database = new Database(dataSource, layout);
    this.names =
        Map.of(
            "relays", layout.relays().sql(),
            "pauses", layout.pause().sql(),
            "forgotten", FORGOTTEN);
  }

  /**
   * Finds out what can be used.
   *
   * @return what cannot, each with what to do; or empty if the outbox table itself is not there
   */
  public Optional<List<String>> look() {
    Layout layout = database.layout();
    return database.run(
        "look for the tables beside",
        connection -> {
          Catalogue catalogue = new Catalogue(connection);
          if (catalogue.table(layout.table()).isEmpty()) {
            return Optional.empty();
          }
          List<String> problems = new ArrayList<>();
          keeps =
              isUsable(
                  catalogue,
                  layout,
                  layout.relays(),
                  "'postcommit status' will not show this relay",
                  problems);
          obeys =
              isUsable(
                  catalogue,
                  layout,
                  layout.pause(),
                  "'postcommit pause' will not pause this relay",
                  problems);
          return Optional.of(List.copyOf(problems));
        });
  }

  static boolean isUsable(
      Catalogue catalogue, Layout layout, TableName name, String loss, List<String> problems)
      throws SQLException {
    @Nullable Table table = catalogue.table(name).orElse(null);
    if (table == null) {
      problems.add("there is no table %s, so %s; run 'postcommit migrate'".formatted(name, loss));
      return false;
    }
    List<Lack> lacking = new ArrayList<>();
    PrivilegeCheck.schema(table, name).ifPresent(lacking::add);
    if (lacking.isEmpty()) {
      PrivilegeCheck.of(catalogue.connection(), layout, EnumSet.of(Task.SHOW)).stream()
          .filter(lack -> lack.object().equals(Privilege.name(name)))
          .forEach(lacking::add);
    }
    lacking.forEach(lack -> problems.add(lack.denied() + ", so " + loss + "; " + lack.grant()));
    return lacking.isEmpty();
  }

  /** Whether there is a row to write to. */
  public boolean isKept() {
    return keeps;
  }

  /** Whether all can be used. */
  public boolean isWhole() {
    return keeps && obeys;
  }

  /**
   * Writes the row, and reads whether the table is paused, as far as either can be done.
   *
   * @param session the session by which others can tell that the relay is gone, if there is one
   * @throws PostcommitException if the database failed. If it was for what {@link #look} saw, no
   *     more is tried before another look
   */
  public Optional<Pause> show(Identity relay, Standing standing, Optional<Backend> session) {
    if (!keeps && !obeys) {
      return Optional.empty();
    }
    return database.run(
        "show a relay of", connection -> show(connection, relay, standing, session.orElse(null)));
  }

  private Optional<Pause> show(
      Connection connection, Identity relay, Standing standing, @Nullable Backend session)
      throws SQLException {
    String text = (keeps ? KEEP : "") + (obeys ? OBEY : NOTHING_TO_OBEY);
    try (PreparedStatement statement = connection.prepareStatement(render(text))) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      if (keeps) {
        bind(statement, relay, standing);
        bind(statement, session);
        kept = relay.id();
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Pauses.read(row) : Optional.empty();
      }
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith(WRONG_STATEMENT_CLASS)) {
        keeps = false;
        obeys = false;
      }
      throw e;
    }
  }

  private static void bind(PreparedStatement statement, Identity relay, Standing standing)
      throws SQLException {
    statement.setObject(1, relay.id());
    statement.setString(2, relay.host());
    statement.setLong(3, relay.pid());
    statement.setString(4, relay.version());
    statement.setLong(5, standing.uptime().toMillis());
    statement.setString(6, standing.state());
    statement.setLong(7, standing.lasting().toMillis());
    statement.setString(8, standing.reason() == null ? null : printable(standing.reason()));
    statement.setLong(9, standing.delivered());
  }

  private static void bind(PreparedStatement statement, @Nullable Backend session)
      throws SQLException {
    statement.setObject(10, session == null ? null : (long) session.pid(), Types.BIGINT);
    Object startedAt = session == null ? null : session.startedAt();
    statement.setObject(11, startedAt, Types.TIMESTAMP_WITH_TIMEZONE);
    Object serverStartedAt = session == null ? null : session.serverStartedAt();
    statement.setObject(12, serverStartedAt, Types.TIMESTAMP_WITH_TIMEZONE);
  }

  /** On one line, of bounded length, and without the users and passwords of addresses. */
  static String printable(String reason) {
    String line = reason.replaceAll("\\p{Cntrl}+", " ").replaceAll("//[^/@\\s]*@", "//");
    return line.length() <= MAX_REASON_LENGTH
        ? line
        : line.substring(0, MAX_REASON_LENGTH - 1) + "…";
  }

  /** Removes the row, if it was ever written. */
  public void remove() {
    @Nullable UUID id = kept;
    if (id != null && keeps) {
      database.run(
          "remove a relay of",
          connection -> {
            try (PreparedStatement statement = connection.prepareStatement(render(REMOVE))) {
              statement.setQueryTimeout(TIMEOUT_SECONDS);
              statement.setObject(1, id);
              return statement.executeUpdate();
            }
          });
    }
  }

  private String render(String statement) {
    return new SqlTemplate(database.layout()).render(statement, names);
  }
}
