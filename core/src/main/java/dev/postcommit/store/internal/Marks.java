package dev.postcommit.store.internal;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.layout.Role;

/**
 * Where rows of a layout stand, as SQL conditions and expressions over {@link #from()}, in which
 * the table is called {@code t} and its table of failures, if it has one, {@code f}.
 *
 * @param from the table, joined with its failures
 * @param pending rows neither delivered nor dead
 * @param due whether a pending row may be delivered now
 * @param waiting whether a pending row waits for its next attempt
 * @param delivered delivered rows
 * @param dead rows the relay gave up on
 * @param attempts deliveries tried so far
 * @param error why the last attempt failed
 * @param settledAt when a delivered row was delivered
 */
record Marks(
    String from,
    String pending,
    String due,
    String waiting,
    String delivered,
    String dead,
    String attempts,
    String error,
    String settledAt) {

  static Marks of(Layout layout) {
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
    String dueAt = keepsDue ? "t." + Times.read(layout.required(Role.DUE_AT)) : "f.due_at";
    return new Marks(
        from,
        template.render(pending(layout, attempts)),
        "(" + dueAt + " IS NULL OR " + dueAt + " <= statement_timestamp())",
        "(" + dueAt + " > statement_timestamp()" + (keepsDue ? " AND " + attempts + " > 0)" : ")"),
        template.render(delivered(layout)),
        template.render(dead(layout, attempts)),
        attempts,
        error,
        settledAt(layout));
  }

  private static String pending(Layout layout, String attempts) {
    if (layout.lifecycle() instanceof Claimed) {
      return "t.{status} = 'pending'";
    }
    if (layout.lifecycle() instanceof Leased) {
      return "t.{status} IN ('pending', 'processing')";
    }
    if (layout.lifecycle() instanceof Status status) {
      return "t.{status} = " + literal(status.pending());
    }
    if (layout.lifecycle() instanceof ProcessedFlag) {
      return "t.{processed} IS NOT TRUE AND f.dead_at IS NULL";
    }
    return "t.{delivered_at} IS NULL AND " + attempts + " < " + layout.retryPolicy().maxAttempts();
  }

  private static String delivered(Layout layout) {
    if (layout.lifecycle() instanceof Claimed || layout.lifecycle() instanceof Leased) {
      return "t.{status} = 'delivered'";
    }
    if (layout.lifecycle() instanceof Status status) {
      return "t.{status} = " + literal(status.delivered());
    }
    return layout.lifecycle() instanceof ProcessedFlag
        ? "t.{processed} AND f.dead_at IS NULL"
        : "t.{delivered_at} IS NOT NULL";
  }

  private static String dead(Layout layout, String attempts) {
    if (layout.lifecycle() instanceof Claimed || layout.lifecycle() instanceof Leased) {
      return "t.{status} = 'dead'";
    }
    if (layout.lifecycle() instanceof Status status) {
      return "t.{status} = " + literal(status.dead());
    }
    return layout.lifecycle() instanceof ProcessedFlag
        ? "f.dead_at IS NOT NULL"
        : "t.{delivered_at} IS NULL AND " + attempts + " >= " + layout.retryPolicy().maxAttempts();
  }

  private static String settledAt(Layout layout) {
    for (Role role : new Role[] {Role.DELIVERED_AT, Role.UPDATED_AT, Role.CREATED_AT}) {
      if (layout.column(role).isPresent()) {
        return "t." + Times.read(layout.required(role));
      }
    }
    return "statement_timestamp()";
  }

  /** Text as an SQL literal. */
  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
