package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.StatusWords;
import dev.postcommit.layout.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where rows of a layout stand, as SQL conditions and expressions over {@code {from}}, in which the
 * table is called {@code t} and its table of failures, if it has one, {@code f}.
 *
 * @param row rows that their own columns do not call delivered or dead; needs no failures
 * @param due whether a pending row may be delivered now
 * @param waiting whether a pending row waits for its next attempt
 * @param names the placeholders by which statements refer to these, and to {@code from}, the table
 *     joined with its failures; {@code pending}, rows neither delivered nor dead; {@code
 *     delivered}; {@code dead}; {@code tried}, the deliveries tried so far; {@code why}, the last
 *     error; {@code settled_at}, when a delivered row was delivered; {@code written}, the column
 *     that rows are ordered by
 */
public record RowStates(String row, String due, String waiting, Map<String, String> names) {

  public static RowStates of(Layout layout) {
    String from =
        layout.table().sql()
            + " t"
            + layout
                .failures()
                .map(
                    failures ->
                        " LEFT JOIN %s f ON f.id = t.%s"
                            .formatted(failures.sql(), layout.sql(Role.ID)))
                .orElse("");
    String attempts =
        layout
            .column(Role.ATTEMPTS)
            .map(column -> "coalesce(t." + column.sql() + ", 0)")
            .orElse("coalesce(f.attempts, 0)");
    String error =
        layout.column(Role.LAST_ERROR).map(column -> "t." + column.sql()).orElse("f.error");
    boolean keepsDue = layout.column(Role.DUE_AT).isPresent();
    String dueAt = keepsDue ? "t." + TimeColumns.read(layout.required(Role.DUE_AT)) : "f.due_at";
    String due = "(%1$s IS NULL OR %1$s <= statement_timestamp())".formatted(dueAt);
    String tried = keepsDue ? " AND (%s > 0 OR %s IS NOT NULL)".formatted(attempts, error) : "";
    String waiting = "(%s > statement_timestamp()%s)".formatted(dueAt, tried);
    States states = States.of(layout, attempts);
    return new RowStates(
        states.row(),
        due,
        waiting,
        Map.of(
            "from",
            from,
            "pending",
            states.pending(),
            "due",
            due,
            "waiting",
            waiting,
            "delivered",
            states.delivered(),
            "dead",
            states.dead(),
            "tried",
            attempts,
            "why",
            error,
            "settled_at",
            settledAt(layout),
            "written",
            layout.sql(layout.column(Role.SEQ).isPresent() ? Role.SEQ : Role.CREATED_AT)));
  }

  /** What a row's own columns say of it, and what that makes of it. */
  private record States(String row, String pending, String delivered, String dead) {

    static States of(Layout layout, String attempts) {
      Optional<StatusWords> words = layout.lifecycle().statusWords();
      if (words.isPresent()) {
        return byWord("t." + layout.sql(Role.STATUS), words.get());
      }
      if (layout.lifecycle().processedFlag().isPresent()) {
        String processed = "t." + layout.sql(Role.PROCESSED);
        String row = processed + " IS NOT TRUE";
        return new States(
            row,
            row + " AND f.dead_at IS NULL",
            processed + " AND f.dead_at IS NULL",
            "f.dead_at IS NOT NULL");
      }
      String deliveredAt = "t." + layout.sql(Role.DELIVERED_AT);
      String tried = deliveredAt + " IS NULL AND " + attempts;
      int most = layout.retryPolicy().maxAttempts();
      String row = tried + " < " + most;
      return new States(row, row, deliveredAt + " IS NOT NULL", tried + " >= " + most);
    }

    private static States byWord(String status, StatusWords words) {
      List<String> undelivered = words.undelivered().stream().map(RowStates::literal).toList();
      String row =
          undelivered.size() == 1
              ? status + " = " + undelivered.get(0)
              : status + " IN (" + String.join(", ", undelivered) + ")";
      return new States(
          row,
          row,
          status + " = " + literal(words.delivered()),
          status + " = " + literal(words.dead()));
    }
  }

  private static String settledAt(Layout layout) {
    for (Role role : new Role[] {Role.DELIVERED_AT, Role.UPDATED_AT, Role.CREATED_AT}) {
      if (layout.column(role).isPresent()) {
        return "t." + TimeColumns.read(layout.required(role));
      }
    }
    return "statement_timestamp()";
  }

  /** Text as an SQL literal. */
  public static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
