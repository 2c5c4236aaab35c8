package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LifecycleKind;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** The tables of a layout, and what a scenario does with them besides the code under test. */
public final class OutboxTables {
  private static final String PAST = "clock_timestamp() - interval '1 second'";

  private final Layout layout;

  public OutboxTables(Layout layout) {
    this.layout = layout;
  }

  /** Empties all tables; a log's cursor stays where it is, and is free. */
  public void empty(Connection connection) throws SQLException {
    List<String> statements = new ArrayList<>();
    for (TableName table : tables()) {
      statements.add("DELETE FROM " + table.sql());
    }
    layout
        .cursor()
        .map(TableName::sql)
        .map("UPDATE %s SET owner = NULL, until = '-infinity', undecided_until = NULL"::formatted)
        .ifPresent(statements::add);
    try (Statement statement = connection.createStatement()) {
      statement.execute(String.join("; ", statements));
    }
  }

  /** Rolls back transactions that were prepared by runs that did not end. */
  void rollBackPrepared(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row =
          statement.executeQuery(
              "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()")) {
        while (row.next()) {
          names.add(row.getString(1));
        }
      }
      for (String name : names) {
        statement.execute("ROLLBACK PREPARED '" + name + "'");
      }
    }
  }

  /** The events that were tried as often as they may be, which says a namespace. */
  List<String> tried(Connection connection, ToIntFunction<String> most) throws SQLException {
    List<String> ids = new ArrayList<>();
    Layout each = settled();
    if (each.column(Role.ATTEMPTS).isPresent()) {
      String namespace = each.column(Role.NAMESPACE).map(Column::sql).orElse("''");
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT CAST(%s AS text), %s, %s FROM %s"
                      .formatted(
                          each.sql(Role.ID),
                          each.sql(Role.ATTEMPTS),
                          namespace,
                          each.table().sql()))) {
        while (row.next()) {
          if (row.getInt(2) >= most.applyAsInt(row.getString(3))) {
            ids.add(row.getString(1));
          }
        }
      }
    }
    return ids;
  }

  private List<TableName> tables() {
    List<TableName> tables = new ArrayList<>();
    tables.add(layout.table());
    tables.add(layout.audit());
    tables.add(layout.relays());
    tables.add(layout.pause());
    tables.add(layout.topics());
    layout.failures().ifPresent(tables::add);
    layout.headers().ifPresent(tables::add);
    layout.dedupeKeys().ifPresent(tables::add);
    layout.diverted().ifPresent(diverted -> tables.add(diverted.table()));
    settled().claims().ifPresent(tables::add);
    return tables;
  }

  private Layout settled() {
    return layout.diverted().orElse(layout);
  }

  boolean isHeld() {
    return layout.isHeld();
  }

  /** The statements that end every lease, as if its time were up. */
  public List<String> expireLeases() {
    List<String> statements = new ArrayList<>();
    Stream.of(layout.cursor(), settled().claims())
        .flatMap(Optional::stream)
        .map(table -> "UPDATE %s SET until = %s".formatted(table.sql(), PAST))
        .forEach(statements::add);
    if (layout.lifecycle().kind() == LifecycleKind.LEASED) {
      statements.add(
          // Whole hours, as its last digits number the lease.
          "UPDATE %1$s SET %2$s = %2$s - interval '10 hours' WHERE %3$s = 'processing'"
              .formatted(
                  layout.table().sql(), layout.sql(Role.LOCKED_UNTIL), layout.sql(Role.STATUS)));
      statements.add(
          "UPDATE %1$s SET undecided_until = %2$s WHERE undecided_until > %2$s"
              .formatted(layout.relays().sql(), PAST));
    }
    return statements;
  }

  /** Makes everything due now that waits for a time. */
  public List<String> makeDue() {
    List<String> statements = new ArrayList<>();
    for (Layout each : List.of(layout, settled())) {
      each.column(Role.DUE_AT)
          .ifPresent(
              due ->
                  statements.add(
                      "UPDATE %1$s SET %2$s = %3$s WHERE %2$s > %3$s"
                          .formatted(each.table().sql(), due.sql(), PAST)));
    }
    layout
        .failures()
        .ifPresent(
            table ->
                statements.add(
                    "UPDATE %1$s SET due_at = %2$s WHERE due_at > %2$s"
                        .formatted(table.sql(), PAST)));
    return statements.stream().distinct().toList();
  }

  /** The ids of all rows there are. */
  public Set<String> ids(Connection connection) throws SQLException {
    Set<String> ids = new HashSet<>();
    for (Layout each : List.of(layout, settled())) {
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT CAST(%s AS text) FROM %s"
                      .formatted(each.sql(Role.ID), each.table().sql()))) {
        while (row.next()) {
          ids.add(row.getString(1));
        }
      }
    }
    return ids;
  }

  /** The ids of rows that left a log. */
  public Set<String> divertedIds(Connection connection) throws SQLException {
    Set<String> ids = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT CAST(%s AS text) FROM %s"
                    .formatted(settled().sql(Role.ID), settled().table().sql()))) {
      while (row.next()) {
        ids.add(row.getString(1));
      }
    }
    return ids;
  }
}
