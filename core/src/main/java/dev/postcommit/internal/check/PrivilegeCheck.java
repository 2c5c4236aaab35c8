package dev.postcommit.internal.check;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.Identifiers;
import dev.postcommit.internal.check.Privilege.Kind;
import dev.postcommit.internal.check.Privilege.Right;
import dev.postcommit.internal.check.Privileges.Task;
import dev.postcommit.internal.jdbc.Catalogue.Table;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Held;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds the privileges that the present user lacks; objects that are not there are left out. */
public final class PrivilegeCheck {

  /**
   * What is lacking on one object.
   *
   * @param object its name, as in SQL
   * @param denied what the user may not do
   * @param grant the statement that would allow it
   */
  public record Lack(String object, String denied, String grant) {

    /** One line that says all. */
    String problem() {
      return denied + "; " + grant;
    }
  }

  /** The position of each right that is lacking, the column it is lacking on, and the user. */
  private static final NamedSql LACKING =
      NamedSql.of(
          """
      SELECT p.n, p.col, current_user AS reader
      FROM unnest(CAST(:numbers AS int[]), CAST(:kinds AS text[]), CAST(:objects AS text[]),
          CAST(:rights AS text[]), CAST(:columns AS text[])) AS p(n, kind, object, privilege, col)
        LEFT JOIN pg_attribute a ON p.col <> '' AND a.attrelid = to_regclass(p.object)
          AND a.attname = p.col AND NOT a.attisdropped
      WHERE NOT coalesce(
        CASE WHEN p.kind = 'FUNCTION' THEN has_function_privilege(p.object, p.privilege)
          WHEN p.kind = 'ROLE' THEN pg_has_role(CAST(p.object AS name), 'USAGE')
          WHEN p.col = '' THEN has_table_privilege(CAST(to_regclass(p.object) AS oid), p.privilege)
          ELSE has_column_privilege(a.attrelid, a.attnum, p.privilege) END, true)
      ORDER BY p.n, p.col""");

  private PrivilegeCheck() {}

  /** What the user lacks to use anything in the table's schema, if that is named. */
  public static Optional<Lack> schema(Table table, TableName name) {
    String schema = name.schema();
    return table.schemaUsable() || schema == null
        ? Optional.empty()
        : Optional.of(
            new Lack(
                Identifiers.quoted(schema),
                "user %s may not use the schema of %s".formatted(table.user(), name),
                "GRANT USAGE ON SCHEMA %s TO %s"
                    .formatted(Identifiers.quoted(schema), Identifiers.quoted(table.user()))));
  }

  /** What the user of the connection lacks for {@code tasks}. */
  public static List<Lack> of(Connection connection, Layout layout, Set<Task> tasks)
      throws SQLException {
    List<Privilege> needed =
        Privileges.of(layout, tasks).stream().filter(p -> p.kind() != Kind.SCHEMA).toList();
    Map<Integer, Set<String>> lacking = new LinkedHashMap<>();
    String user = "";
    try (NamedStatement statement = bind(LACKING.prepare(connection), layout, needed);
        ResultSet row = statement.query()) {
      while (row.next()) {
        lacking.computeIfAbsent(row.getInt("n"), n -> new TreeSet<>()).add(row.getString("col"));
        user = row.getString("reader");
      }
    }
    List<Privilege> denied = new ArrayList<>();
    lacking.forEach((n, columns) -> denied.add(only(needed.get(n), columns)));
    String grantee = user;
    return Privileges.byObject(denied).stream().map(rights -> lack(rights, grantee)).toList();
  }

  private static NamedStatement bind(NamedStatement to, Layout layout, List<Privilege> needed)
      throws SQLException {
    List<Long> numbers = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (int n = 0; n < needed.size(); n++) {
      List<String> asked = asked(layout, needed.get(n));
      for (String column : asked.isEmpty() ? List.of("") : asked) {
        numbers.add((long) n);
        columns.add(column);
      }
    }
    List<Privilege> each = numbers.stream().map(n -> needed.get(n.intValue())).toList();
    return to.setNumbers("numbers", numbers)
        .setTexts("kinds", each.stream().map(p -> p.kind().name()).toList())
        .setTexts("objects", each.stream().map(Privilege::object).toList())
        .setTexts("rights", each.stream().map(p -> p.right().name()).toList())
        .setTexts("columns", columns);
  }

  /**
   * The columns to ask for. Of a table that is not our own, to read those of the layout will do.
   */
  private static List<String> asked(Layout layout, Privilege privilege) {
    boolean foreign = layout.lifecycle() instanceof Held || layout.lifecycle() instanceof Leased;
    return foreign
            && privilege.columns().isEmpty()
            && privilege.right() == Right.SELECT
            && privilege.object().equals(Privilege.name(layout.table()))
        ? layout.columns().values().stream().map(Column::name).distinct().toList()
        : privilege.columns();
  }

  private static Privilege only(Privilege privilege, Set<String> columns) {
    return privilege.columns().isEmpty()
        ? privilege
        : new Privilege(
            privilege.kind(), privilege.object(), privilege.right(), List.copyOf(columns));
  }

  private static Lack lack(List<Privilege> rights, String user) {
    Privilege first = rights.get(0);
    if (first.kind() == Kind.ROLE) {
      return new Lack(
          first.object(),
          "user %s is not a member of %s".formatted(user, first.object()),
          Privilege.grant(rights, user));
    }
    String what = rights.stream().map(Privilege::sql).collect(joining(", "));
    return new Lack(
        first.object(),
        "user %s may not %s on %s".formatted(user, what, first.object()),
        Privilege.grant(rights, user));
  }
}
