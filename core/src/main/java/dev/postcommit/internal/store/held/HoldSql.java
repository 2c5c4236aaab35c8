package dev.postcommit.internal.store.held;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TimeColumns;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.PublishedAt;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The statements that settle events of a held table. */
final class HoldSql {

  private static final String DELIVER =
      "UPDATE {table} t SET {sets} WHERE t.{id} = ANY (CAST(:ids AS {type_of_id}[]))";

  private static final String DELETE =
      "DELETE FROM {table} t WHERE t.{id} = ANY (CAST(:ids AS {type_of_id}[]))";

  private static final String FORGET =
      "DELETE FROM {side_table} WHERE id = ANY (CAST(:ids AS {type_of_id}[]))";

  private static final String FAIL =
      """
      UPDATE {table} t SET {sets}
      FROM unnest(CAST(:ids AS {type_of_id}[]), CAST(:dead AS boolean[]), CAST(:delays AS bigint[]),
        CAST(:errors AS text[]), CAST(:uncounted AS int[])) AS o(id, dead, delay, error, uncounted)
      WHERE t.{id} = o.id AND t.{id} = ANY (CAST(:ids AS {type_of_id}[]))""";

  private static final String REMEMBER =
      """
      INSERT INTO {failures} (id, dead_at, due_at, error, key, attempts)
      SELECT o.id, CASE WHEN o.dead THEN clock_timestamp() END,
        CASE WHEN NOT o.dead THEN {due_again} END, o.error, o.key, o.attempts
      FROM unnest(CAST(:ids AS {type_of_id}[]), CAST(:dead AS boolean[]), CAST(:delays AS bigint[]),
        CAST(:errors AS text[]), CAST(:keys AS text[]), CAST(:attempts AS int[])) AS o(id, dead, delay, error, key, attempts)
      ON CONFLICT (id) DO UPDATE SET dead_at = excluded.dead_at, due_at = excluded.due_at,
        error = excluded.error, attempts = excluded.attempts""";

  private static final String DUE_AGAIN = "clock_timestamp() + o.delay * interval '1 ms'";

  private final Layout layout;
  private final SqlTemplate template;

  final NamedSql deliver;

  /** Absent if the row has no column for anything that it says. */
  final Optional<NamedSql> fail;

  /** Writes to the table of failures. */
  final Optional<NamedSql> remember;

  final Optional<NamedSql> forgetFailures;

  /** Deletes the headers of events that are deleted themselves. */
  final Optional<NamedSql> forgetHeaders;

  HoldSql(Layout layout) {
    this.layout = layout;
    template = new SqlTemplate(layout);
    deliver = layout.keepsDelivered() ? update(DELIVER, delivered()) : template.statement(DELETE);
    Map<Role, String> failed = failed();
    fail = failed.isEmpty() ? Optional.empty() : Optional.of(update(FAIL, failed));
    remember =
        layout
            .failures()
            .map(table -> template.statement(REMEMBER, Map.of("due_again", DUE_AGAIN)));
    forgetFailures = layout.failures().map(this::forget);
    forgetHeaders = layout.keepsDelivered() ? Optional.empty() : layout.headers().map(this::forget);
  }

  private NamedSql forget(TableName sideTable) {
    return template.statement(FORGET, Map.of("side_table", sideTable.sql()));
  }

  private Map<Role, String> delivered() {
    Map<Role, String> sets = new LinkedHashMap<>();
    if (layout.lifecycle() instanceof Status status) {
      sets.put(Role.STATUS, RowStates.literal(status.delivered()));
    } else if (layout.lifecycle() instanceof ProcessedFlag) {
      sets.put(Role.PROCESSED, "true");
    }
    time(sets, Role.DELIVERED_AT, "clock_timestamp()");
    time(sets, Role.UPDATED_AT, "clock_timestamp()");
    return sets;
  }

  private Map<Role, String> failed() {
    Map<Role, String> sets = new LinkedHashMap<>();
    String attempts =
        layout
            .column(Role.ATTEMPTS)
            .map(c -> "coalesce(t." + c.sql() + ", 0) + 1 - o.uncounted")
            .orElse("");
    if (layout.lifecycle() instanceof Status status) {
      sets.put(
          Role.STATUS,
          "CAST(CASE WHEN o.dead THEN %s ELSE %s END AS {type_of_status})"
              .formatted(RowStates.literal(status.dead()), RowStates.literal(status.pending())));
    } else if (layout.lifecycle() instanceof ProcessedFlag flag && flag.marksDead()) {
      sets.put(Role.PROCESSED, "o.dead");
    } else if (layout.lifecycle() instanceof PublishedAt) {
      attempts =
          "CASE WHEN o.dead THEN greatest(%s, %d) ELSE %s END"
              .formatted(attempts, layout.retryPolicy().maxAttempts(), attempts);
    }
    if (!attempts.isEmpty()) {
      sets.put(Role.ATTEMPTS, attempts);
    }
    layout.column(Role.LAST_ERROR).ifPresent(column -> sets.put(Role.LAST_ERROR, "o.error"));
    layout
        .column(Role.DUE_AT)
        .ifPresent(
            column ->
                sets.put(
                    Role.DUE_AT,
                    "CASE WHEN o.dead THEN t.%s ELSE %s END"
                        .formatted(
                            column.sql(), TimeColumns.write(column, "(" + DUE_AGAIN + ")"))));
    if (!sets.isEmpty()) {
      time(sets, Role.UPDATED_AT, "clock_timestamp()");
    }
    return sets;
  }

  private void time(Map<Role, String> sets, Role role, String time) {
    layout.column(role).ifPresent(column -> sets.put(role, TimeColumns.write(column, time)));
  }

  private NamedSql update(String statement, Map<Role, String> sets) {
    String list =
        sets.entrySet().stream()
            .map(set -> layout.required(set.getKey()).sql() + " = " + set.getValue())
            .collect(joining(", "));
    return template.statement(statement.replace("{sets}", list));
  }
}
