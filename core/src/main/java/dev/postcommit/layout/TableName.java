package dev.postcommit.layout;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a table, with its schema if one is given.
 *
 * @param schema the schema, or null to leave it to the connection's search path
 * @param name the table
 */
public record TableName(@Nullable String schema, String name) {
  private static final Pattern PART = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}");

  /** Rejects names that are not plain identifiers. */
  public TableName {
    check(name, name);
    if (schema != null) {
      check(schema, schema + "." + name);
    }
  }

  /** Parses {@code table} or {@code schema.table}. */
  public static TableName of(String text) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new TableName(null, text)
        : new TableName(text.substring(0, dot), text.substring(dot + 1));
  }

  /** The table beside this one, in the same schema, whose name has {@code suffix} added. */
  public TableName withSuffix(String suffix) {
    return new TableName(schema, name + suffix);
  }

  /** The name, quoted for use in SQL. */
  public String sql() {
    return schema == null ? quoted(name) : quoted(schema) + "." + quoted(name);
  }

  @Override
  public String toString() {
    return schema == null ? name : schema + "." + name;
  }

  static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  private static void check(String part, String whole) {
    if (!PART.matcher(part).matches()) {
      throw new IllegalArgumentException(
          "'" + whole + "' is not a table name; use table or schema.table, letters, digits and _");
    }
  }
}
