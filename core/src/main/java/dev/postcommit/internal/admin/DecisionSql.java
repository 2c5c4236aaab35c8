package dev.postcommit.internal.admin;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.jdbc.EventTexts;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.SideTables;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TimeColumns;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LifecycleKind;
import dev.postcommit.layout.Role;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The statements that carry out an operator's decision, rendered once for a layout. Their
 * parameters are ids, operator and reason; they change the rows of these ids that are dead, with an
 * entry in the audit table for each, and return their number.
 *
 * <p>Rows are locked in one order, so operators wait for each other and never deadlock. After such
 * a wait Postgres checks again whether a row is dead. Where its failure says so, the failure is
 * locked too: otherwise the check would use its old version.
 *
 * @param replay makes dead rows pending
 * @param discard deletes dead rows
 * @param audit the newest entries of the audit table, up to a number
 */
record DecisionSql(NamedSql replay, NamedSql discard, NamedSql audit) {

  private static final String CHANGE =
      """
      WITH chosen AS MATERIALIZED (
        SELECT t.{id} AS id, {type_text} AS type, {aggregate_type_text} AS aggregate_type,
          {aggregate_id_text} AS aggregate_id, {tried} AS attempts, {why} AS error
        FROM {from}
        WHERE t.{id} = ANY (CAST(:ids AS {type_of_id}[])) AND {dead}
        ORDER BY {order}
        FOR UPDATE OF {locked}),
      changed AS (
        {change}){side_tables}
      INSERT INTO {audit} (action, operator, reason, event_id, event_type, aggregate_type,
        aggregate_id, attempts, error)
      SELECT '{action}', CAST(:operator AS text), CAST(:reason AS text), CAST(id AS text), type, aggregate_type,
        aggregate_id, attempts, error
      FROM chosen""";

  private static final String UPDATE =
      "UPDATE {table} t SET {pending_again} FROM chosen WHERE t.{id} = chosen.id";

  private static final String DELETE =
      "DELETE FROM {table} t USING chosen WHERE t.{id} = chosen.id";

  private static final String AUDIT =
      """
      SELECT id, at, upper(action) AS action, operator, reason, event_id, event_type, aggregate_type,
        aggregate_id, attempts, error
      FROM {audit} ORDER BY id DESC LIMIT :limit""";

  static DecisionSql of(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    Map<String, String> names = new HashMap<>(RowStates.of(layout).names());
    names.putAll(EventTexts.names(layout));
    names.put("locked", layout.lifecycle().processedFlag().isPresent() ? "t, f" : "t");
    names.put("pending_again", pendingAgain(layout));
    String replay =
        CHANGE
            .replace("{action}", "replay")
            .replace("{change}", UPDATE)
            .replace("{side_tables}", SideTables.deleteFailures(layout, "chosen"));
    String discard =
        CHANGE
            .replace("{action}", "discard")
            .replace("{change}", DELETE)
            .replace("{side_tables}", SideTables.delete(layout, "chosen"));
    return new DecisionSql(
        template.statement(replay, names),
        template.statement(discard, names),
        template.statement(AUDIT, names));
  }

  /** The assignments that make a dead row pending. One column may play two roles. */
  private static String pendingAgain(Layout layout) {
    Map<String, String> values = new LinkedHashMap<>();
    set(values, layout, Role.PROCESSED, "false");
    layout
        .lifecycle()
        .statusWords()
        .ifPresent(words -> set(values, layout, Role.STATUS, RowStates.literal(words.pending())));
    set(values, layout, Role.ATTEMPTS, "0");
    if (layout.lifecycle().kind() == LifecycleKind.CLAIMED) {
      set(values, layout, Role.DUE_AT, "NULL");
    } else {
      setNow(values, layout, Role.DUE_AT);
    }
    if (layout.isHeld()) {
      set(values, layout, Role.DELIVERED_AT, "NULL");
    }
    setNow(values, layout, Role.UPDATED_AT);
    return values.entrySet().stream()
        .map(value -> value.getKey() + " = " + value.getValue())
        .collect(joining(", "));
  }

  private static void set(Map<String, String> values, Layout layout, Role role, String value) {
    layout.column(role).ifPresent(column -> values.putIfAbsent(column.sql(), value));
  }

  private static void setNow(Map<String, String> values, Layout layout, Role role) {
    layout
        .column(role)
        .ifPresent(column -> values.putIfAbsent(column.sql(), TimeColumns.write(column, "now()")));
  }
}
