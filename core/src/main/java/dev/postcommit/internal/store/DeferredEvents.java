package dev.postcommit.internal.store;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.jdbc.TimeColumns;
import dev.postcommit.internal.jdbc.TransactionStart;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.support.OneTransaction;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for a topic. Their recorded error begins with words that name the topic, by
 * which they are found again in every layout, when the topic takes messages.
 */
public final class DeferredEvents {

  /** How the recorded error of every event begins that waits for a topic. */
  public static final String WAITING = "waiting for topic ";

  /** Small enough that claims, which wait for it, do not wait long. */
  private static final int AT_ONCE = 2_000;

  /**
   * Claims that began before ask whether an event was due then. If it were not, and had no error
   * any more, it would look like a delayed event, and later ones of its key would go first.
   */
  private static final String PAST = "clock_timestamp() - interval '1 minute'";

  private static final String NATIVE =
      """
      WITH released AS (
        UPDATE {table} t SET {due_at} = NULL
        WHERE t.{id} = ANY (ARRAY(
          SELECT {id} FROM {table}
          WHERE {status} = 'pending' AND {due_at} > clock_timestamp() AND {last_error} IS NOT NULL
            AND starts_with({last_error}, :prefix){of_keys}
          ORDER BY {seq} LIMIT :limit))
        RETURNING 1)
      SELECT count(*) AS released FROM released""";

  private static final String OF_NATIVE_KEYS =
      " AND num_nulls({due_at}) = 0 AND {key} = ANY (CAST(:keys AS text[]))";

  private static final String OF_KEYS =
      " AND {key} = ANY (CAST(CAST(:keys AS text[]) AS {type_of_key}[]))";

  private static final String LEASED =
      """
      WITH released AS (
        UPDATE {table} t SET {due_at} = {past}, {last_error} = NULL
        WHERE t.{id} = ANY (ARRAY(
          SELECT {id} FROM {table}
          WHERE {status} = 'pending' AND {due_at} > clock_timestamp()
            AND starts_with({last_error}, :prefix){of_keys}
          ORDER BY {created_at}, {id} LIMIT :limit))
        RETURNING 1)
      SELECT count(*) AS released FROM released""";

  /** In the order of writing, so that no event is due before an earlier one of its key. */
  private static final String HELD =
      """
      WITH chosen AS MATERIALIZED (
        SELECT t.{id} AS id FROM {from}
        WHERE {pending} AND ({due_time}) > clock_timestamp() AND starts_with({why}, :prefix)
        ORDER BY t.{written}, t.{id} LIMIT :limit){changes}
      SELECT count(*) AS released FROM chosen""";

  private static final String HELD_ROW =
      """
      ,
      rows AS (
        UPDATE {table} t SET {due_at} = {now}{error}
        WHERE t.{id} = ANY (ARRAY(SELECT id FROM chosen)))""";

  private static final String HELD_FAILURE =
      """
      ,
      failures AS (
        UPDATE {failures} f SET due_at = {past}, error = NULL
        WHERE f.id = ANY (ARRAY(SELECT id FROM chosen)))""";

  private final Database database;
  private final NamedSql release;
  private final @Nullable NamedSql releaseKeys;

  /** Those of a table of this layout; of a log, those that were diverted from it. */
  public DeferredEvents(DataSource dataSource, Layout layout) {
    Layout table = layout.diverted().orElse(layout);
    this.database = new Database(dataSource, table);
    SqlTemplate template = new SqlTemplate(table);
    if (table.isHeld()) {
      // The lock that serialises claims is held there for as long as a relay has work.
      release = held(table, template);
      releaseKeys = null;
    } else {
      boolean isNative = table.claims().isPresent();
      Map<String, String> names = Map.of("past", PAST);
      String begin = isNative ? TableLock.LOCK : TableLock.LOCK + TransactionStart.IN_ORDER;
      String ofAll = OneTransaction.of(begin, isNative ? NATIVE : LEASED);
      String ofKeys = isNative ? OF_NATIVE_KEYS : OF_KEYS;
      release = template.statement(ofAll.replace("{of_keys}", ""), names);
      releaseKeys =
          table.column(Role.KEY).isPresent()
              ? template.statement(ofAll.replace("{of_keys}", ofKeys), names)
              : null;
    }
  }

  private static NamedSql held(Layout layout, SqlTemplate template) {
    Map<String, String> names = new HashMap<>(RowStates.of(layout).names());
    Optional<Column> dueAt = layout.column(Role.DUE_AT);
    names.put("past", PAST);
    names.put("due_time", dueAt.map(column -> "t." + TimeColumns.read(column)).orElse("f.due_at"));
    dueAt.ifPresent(column -> names.put("now", TimeColumns.write(column, PAST)));
    names.put(
        "error", layout.column(Role.LAST_ERROR).map(c -> ", " + c.sql() + " = NULL").orElse(""));
    String changes =
        dueAt.map(column -> HELD_ROW).orElse("")
            + layout.failures().map(failures -> HELD_FAILURE).orElse("");
    return template.statement(
        OneTransaction.of(TransactionStart.BEGIN, HELD.replace("{changes}", changes)), names);
  }

  /** The error to record with an event that waits for a topic. */
  public static String error(String topic, String reason) {
    return prefix(topic) + reason;
  }

  private static String prefix(String topic) {
    return WAITING + topic + ": ";
  }

  /** Makes all events due that wait for a topic; returns how many there were. */
  public long release(String topic) {
    long released = 0;
    int last;
    do {
      last = release(topic, AT_ONCE);
      released += last;
    } while (last == AT_ONCE);
    return released;
  }

  /** Makes the first events due that wait for a topic, up to a number; returns how many. */
  public int release(String topic, int limit) {
    return run(release, topic, null, limit);
  }

  /**
   * Makes events due that were deferred because an earlier one of their key waited for a topic,
   * which is given up now; returns how many. In held tables they are not deferred.
   */
  public int releaseBehind(String topic, Collection<String> keys) {
    return releaseKeys == null ? 0 : run(releaseKeys, topic, keys, Integer.MAX_VALUE);
  }

  private int run(NamedSql sql, String topic, @Nullable Collection<String> keys, int limit) {
    return database.run(
        "release deferred events of",
        sql,
        to -> {
          if (keys != null) {
            to.setTexts("keys", keys);
          }
          return to.set("prefix", prefix(topic))
              .set("limit", limit)
              .row(row -> row.getInt("released"));
        });
  }
}
