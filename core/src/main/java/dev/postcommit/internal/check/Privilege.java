package dev.postcommit.internal.check;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.Identifiers;
import dev.postcommit.layout.TableName;
import java.util.List;

/**
 * One right on one object of the database.
 *
 * @param object its name, as in SQL
 * @param columns those that the right is on; none if it is on the whole object
 */
public record Privilege(Kind kind, String object, Right right, List<String> columns) {

  /** What there are privileges on. */
  enum Kind {
    SCHEMA,
    TABLE,
    SEQUENCE,
    FUNCTION,
    ROLE;

    /** As it stands before a name in GRANT. */
    String sql() {
      return this == TABLE ? "" : name() + " ";
    }
  }

  /** What can be granted. */
  enum Right {
    USAGE,
    EXECUTE,
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    MEMBER
  }

  public static String name(TableName table) {
    String name = Identifiers.quoted(table.name());
    return table.schema() == null ? name : Identifiers.quoted(table.schema()) + "." + name;
  }

  /** The right with its columns, as in {@code UPDATE (status, attempts)}. */
  String sql() {
    return columns.isEmpty()
        ? right.name()
        : columns.stream().map(Identifiers::quoted).collect(joining(", ", right + " (", ")"));
  }

  /** The statement that grants rights on one object. */
  static String grant(List<Privilege> ofOneObject, String user) {
    Privilege first = ofOneObject.get(0);
    if (first.kind == Kind.ROLE) {
      return "GRANT %s TO %s".formatted(first.object, Identifiers.quoted(user));
    }
    return "GRANT %s ON %s%s TO %s"
        .formatted(
            ofOneObject.stream().map(Privilege::sql).collect(joining(", ")),
            first.kind.sql(),
            first.object,
            Identifiers.quoted(user));
  }

  /** Says that a user is not a member of a role, with the statement that changes it. */
  public static String lackingRole(String role, String user) {
    return "user %s is not a member of %s; GRANT %s TO %s"
        .formatted(user, role, role, Identifiers.quoted(user));
  }
}
