package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.StatusWords;
import dev.postcommit.layout.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where rows of a layout stand, as SQL conditions and expressions over {@link #from()}, in which
 * the table is called {@code t} and its table of failures, if it has one, {@code f}.
 *
 * @param from the table, joined with its failures
 * @param row rows that their own columns do not call delivered or dead; needs no failures
 * @param pending rows neither delivered nor dead
 * @param due whether a pending row may be delivered now
 * @param waiting whether a pending row waits for its next attempt
 * @param delivered delivered rows
 * @param dead rows the relay gave up on
 * @param attempts deliveries tried so far
 * @param error why the last attempt failed
 * @param settledAt when a delivered row was delivered
 */
public record RowStates(
    String from,
    String row,
    String pending,
    String due,
    String waiting,
    String delivered,
    String dead,
    String attempts,
    String error,
    String settledAt) {

  public static RowStates of(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    String from =
        layout.table().sql()
            + " t"
            + layout
                .failures()
                .map(
                    failures ->
                        template.render(" LEFT JOIN " + failures.sql() + " f ON f.id = t.{id}"))
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
    States states = States.of(layout, attempts);
    return new RowStates(
        from,
        states.row(),
        states.pending(),
        "(" + dueAt + " IS NULL OR " + dueAt + " <= statement_timestamp())",
        "("
            + dueAt
            + " > statement_timestamp()"
            + (keepsDue ? " AND (%s > 0 OR %s IS NOT NULL))".formatted(attempts, error) : ")"),
        states.delivered(),
        states.dead(),
        attempts,
        error,
        settledAt(layout));
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

  /** The placeholders by which statements refer to these. */
  public Map<String, String> names() {
    return Map.of(
        "from", from,
        "pending", pending,
        "due", due,
        "waiting", waiting,
        "delivered", delivered,
        "dead", dead,
        "tried", attempts,
        "why", error,
        "settled_at", settledAt);
  }

  /** Text as an SQL literal. */
  public static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
