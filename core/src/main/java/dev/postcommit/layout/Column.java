package dev.postcommit.layout;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A column of an outbox table.
 *
 * @param name its name
 * @param type its Postgres type without a length, for example {@code uuid} or {@code varchar}
 * @param labels the values of its enum type; empty for any other type
 */
public record Column(String name, String type, List<String> labels) {
  private static final Pattern TYPE =
      Pattern.compile("(?:\"[A-Za-z_][A-Za-z0-9_$]*\"\\.)?[A-Za-z_][A-Za-z0-9_ .]*");
  private static final Set<String> JSON_TYPES = Set.of("json", "jsonb");
  private static final Set<String> NUMBERS =
      Set.of("bigint", "int8", "int", "integer", "int4", "smallint", "int2");
  private static final Set<String> LOCAL_TIMES = Set.of("timestamp", "timestamp without time zone");

  /** Rejects a blank name and a type that cannot be one. */
  public Column {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a column's name must not be blank");
    }
    if (!TYPE.matcher(type).matches()) {
      throw new IllegalArgumentException(
          "column " + name + ": '" + type + "' is not the name of a Postgres type");
    }
    labels = List.copyOf(labels);
  }

  /** A column whose type is not an enum. */
  public Column(String name, String type) {
    this(name, type, List.of());
  }

  /** Whether the column holds JSON and nothing else. */
  public boolean isJson() {
    return JSON_TYPES.contains(type.toLowerCase(Locale.ROOT));
  }

  /** Whether the column holds bytes. */
  public boolean isBinary() {
    return type.equalsIgnoreCase("bytea");
  }

  /** Whether the column holds whole numbers. */
  public boolean isNumber() {
    return NUMBERS.contains(type.toLowerCase(Locale.ROOT));
  }

  /** Whether the column holds UUIDs. */
  public boolean isUuid() {
    return type.equalsIgnoreCase("uuid");
  }

  /** Whether the column holds times without a zone, which are read as UTC. */
  public boolean isLocalTime() {
    return LOCAL_TIMES.contains(type.toLowerCase(Locale.ROOT));
  }

  /** The name, quoted for use in SQL. */
  public String sql() {
    return TableName.quoted(name);
  }
}
