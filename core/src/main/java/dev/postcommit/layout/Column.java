package dev.postcommit.layout;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A column of an outbox table.
 *
 * @param name its name
 * @param type its Postgres type, for example {@code uuid} or {@code jsonb}
 */
public record Column(String name, String type) {
  private static final Pattern TYPE = Pattern.compile("[A-Za-z_][A-Za-z0-9_ .]*");
  private static final Set<String> JSON_TYPES = Set.of("json", "jsonb");

  /** Refuses what could not be a column. */
  public Column {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a column's name must not be blank");
    }
    if (!TYPE.matcher(type).matches()) {
      throw new IllegalArgumentException(
          "column " + name + ": '" + type + "' is not the name of a Postgres type");
    }
  }

  /** Whether the column holds JSON and nothing else. */
  public boolean isJson() {
    return JSON_TYPES.contains(type.toLowerCase(Locale.ROOT));
  }

  /** Whether the column holds bytes. */
  public boolean isBinary() {
    return type.equalsIgnoreCase("bytea");
  }

  /** The name, quoted for use in SQL. */
  public String sql() {
    return TableName.quoted(name);
  }
}
