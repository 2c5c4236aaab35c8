package dev.postcommit.internal.store;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.check.Privilege;
import dev.postcommit.internal.check.PrivilegeCheck;
import dev.postcommit.internal.check.PrivilegeCheck.Lack;
import dev.postcommit.internal.check.Privileges.Task;
import dev.postcommit.internal.jdbc.Catalogue;
import dev.postcommit.internal.jdbc.Catalogue.Table;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.store.RelaySession.Backend;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.OutboxAdmin.Pause;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The row by which one relay shows that it is there. Writing it also reads whether the table is
 * paused, in the same round trip.
 *
 * <p>The tables for that need not be there, and the user need not have rights on them: {@link
 * #findTables} finds out what can be used, so that no statement fails for it. For use by one
 * thread.
 */
public final class RelayRow {

  /**
   * What tells a relay from others.
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
   * What a relay is doing.
   *
   * @param uptime how long ago it was started
   * @param state a word
   * @param lasting how long it has been so, at least
   * @param reason why, or null if there is nothing to say
   * @param delivered how many events it has delivered
   */
  public record Standing(
      Duration uptime, String state, Duration lasting, @Nullable String reason, long delivered) {}

  private static final int MAX_REASON_LENGTH = 300;
  private static final int TIMEOUT_SECONDS = 5;
  private static final String WRONG_STATEMENT_CLASS = "42";

  /** A relay that was not seen for a minute is forgotten. */
  private static final String KEEP =
      """
      WITH kept AS (
        INSERT INTO {relays} AS r
          (id, host, pid, version, started_at, seen_at, state, since, reason, delivered,
          backend_pid, backend_started_at, server_started_at)
        VALUES (:id, :host, :pid, :version, clock_timestamp() - :uptime_millis * interval '1 ms',
          clock_timestamp(), :state, clock_timestamp() - :lasting_millis * interval '1 ms', :reason,
          :delivered, :backend_pid, :backend_started_at, :server_started_at)
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
          SELECT id FROM {relays} WHERE seen_at < clock_timestamp() - interval '1 minute'
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
      SELECT CAST(NULL AS timestamptz) AS at, CAST(NULL AS text) AS operator, CAST(NULL AS text) AS reason,
        set_config('synchronous_commit', 'off', true)""";

  private static final String REMOVE = "DELETE FROM {relays} WHERE id = :id";

  private final Database database;
  private final SqlTemplate template;
  private @Nullable NamedSql show;
  private boolean keeps;
  private boolean obeys;
  private @Nullable UUID kept;

  /** No I/O yet. */
  public RelayRow(DataSource dataSource, Layout layout) {
    this.database = new Database(dataSource, layout);
    this.template = new SqlTemplate(layout);
  }

  /**
   * Finds out what can be used.
   *
   * @return what cannot, each with what to do; or empty if the outbox table itself is not there
   */
  public Optional<List<String>> findTables() {
    Layout layout = database.layout();
    return database.run(
        "look for the side tables of",
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
          show =
              keeps || obeys
                  ? template.statement((keeps ? KEEP : "") + (obeys ? OBEY : NOTHING_TO_OBEY))
                  : null;
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
   * @throws PostcommitException if the database failed. If that was because tables have changed
   *     since {@link #findTables}, nothing more is tried before it is called again
   */
  public Optional<Pause> show(Identity relay, Standing standing, Optional<Backend> session) {
    NamedSql sql = show;
    return sql == null
        ? Optional.empty()
        : database.run("show a relay of", sql, to -> show(to, relay, standing, session));
  }

  private Optional<Pause> show(
      NamedStatement statement, Identity relay, Standing standing, Optional<Backend> session)
      throws SQLException {
    if (keeps) {
      bind(statement, relay, standing, session.orElse(null));
      kept = relay.id();
    }
    try {
      return statement
          .timeout(TIMEOUT_SECONDS)
          .row(row -> Pauses.read(row, "at", "operator", "reason"));
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith(WRONG_STATEMENT_CLASS)) {
        keeps = false;
        obeys = false;
        show = null;
      }
      throw e;
    }
  }

  private static void bind(
      NamedStatement to, Identity relay, Standing standing, @Nullable Backend session)
      throws SQLException {
    to.set("id", relay.id())
        .set("host", relay.host())
        .set("pid", relay.pid())
        .set("version", relay.version())
        .set("uptime_millis", standing.uptime().toMillis())
        .set("state", standing.state())
        .set("lasting_millis", standing.lasting().toMillis())
        .set("reason", standing.reason() == null ? null : printable(standing.reason()))
        .set("delivered", standing.delivered())
        .set("backend_pid", session == null ? null : Long.valueOf(session.pid()))
        .set("backend_started_at", session == null ? null : session.startedAt())
        .set("server_started_at", session == null ? null : session.serverStartedAt());
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
          template.statement(REMOVE),
          to -> to.timeout(TIMEOUT_SECONDS).set("id", id).update());
    }
  }
}
