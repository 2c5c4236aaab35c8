package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what the catalogue of a Postgres database says of tables, columns and types. */
public final class Catalogue {

  /**
   * A table.
   *
   * @param kind its {@code relkind}
   * @param schemaUsable whether the present user may use its schema
   */
  public record Table(long oid, String kind, String user, boolean schemaUsable) {}

  /**
   * A column.
   *
   * @param type as {@code CREATE TABLE} would spell it
   * @param family stands for the type, its domains and those that hold the same values
   * @param length the most characters it holds, or 0 if there is no limit
   * @param optional whether a row can be written without it
   * @param unique whether a unique index covers it alone and all rows
   * @param labels the values of its enum type
   */
  public record Attribute(
      String name,
      String type,
      long family,
      int length,
      boolean nullable,
      boolean optional,
      boolean unique,
      List<String> labels) {}

  private static final String TABLE =
      """
      SELECT c.oid, c.relkind, current_user, has_schema_privilege(n.oid, 'USAGE')
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relname = ? AND CAST(c.relkind AS text) = ANY (?)
        AND coalesce(n.nspname = CAST(? AS text), pg_table_is_visible(c.oid))""";

  /** Text and varchar hold the same values, so one may be described as the other. */
  private static final String FAMILY =
      "CAST(CASE %1$s WHEN CAST('varchar' AS regtype) THEN CAST('text' AS regtype) ELSE %1$s END"
          + " AS oid)";

  private static final String ATTRIBUTES =
      """
      SELECT a.attname, format_type(a.atttypid, a.atttypmod),
        {family},
        CASE WHEN a.atttypid = CAST('varchar' AS regtype) AND a.atttypmod > 4
          THEN a.atttypmod - 4 ELSE 0 END,
        NOT a.attnotnull, NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '',
        EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique
          AND i.indisvalid AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
          AND i.indpred IS NULL AND i.indexprs IS NULL),
        ARRAY(SELECT e.enumlabel FROM pg_enum e WHERE e.enumtypid = a.atttypid
          ORDER BY e.enumsortorder)
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = CAST(? AS oid) AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum"""
          .replace("{family}", FAMILY.formatted("coalesce(nullif(t.typbasetype, 0), a.atttypid)"));

  private static final String FAMILIES =
      "SELECT t, "
          + FAMILY.formatted("CAST(to_regtype(t) AS oid)")
          + " FROM unnest(CAST(? AS text[])) t";

  private static final String UNIQUE =
      """
      SELECT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = CAST(? AS oid) AND i.indisunique
        AND i.indisvalid AND i.indexprs IS NULL AND i.indnkeyatts = cardinality(n.names)
        AND n.names @> ARRAY(SELECT CAST(a.attname AS text) FROM pg_attribute a
          WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)))
      FROM (SELECT CAST(? AS text[]) AS names) n""";

  private static final String TAKES_ID =
      """
      SELECT EXISTS (SELECT FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum < a.attnum
        AND pg_get_expr(d.adbin, d.adrelid) LIKE '%pg_current_xact_id()%')
      FROM pg_attribute a WHERE a.attrelid = CAST(? AS oid) AND a.attname = ?""";

  private static final String[] TABLES = {"r", "p", "v", "m", "f"};
  private static final String[] SEQUENCES = {"S"};

  private final Connection connection;

  public Catalogue(Connection connection) {
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  public Optional<Table> table(TableName name) throws SQLException {
    return relation(name, TABLES);
  }

  public boolean hasSequence(TableName name) throws SQLException {
    return relation(name, SEQUENCES).isPresent();
  }

  private Optional<Table> relation(TableName name, String... kinds) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TABLE)) {
      statement.setString(1, name.name());
      statement.setArray(2, connection.createArrayOf("text", kinds));
      statement.setString(3, name.schema());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Table(row.getLong(1), row.getString(2), row.getString(3), row.getBoolean(4)))
            : Optional.empty();
      }
    }
  }

  /** The columns in their order, by name. */
  public Map<String, Attribute> attributes(Table table) throws SQLException {
    Map<String, Attribute> found = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(ATTRIBUTES)) {
      statement.setLong(1, table.oid());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.put(
              row.getString(1),
              new Attribute(
                  row.getString(1),
                  row.getString(2),
                  row.getLong(3),
                  row.getInt(4),
                  row.getBoolean(5),
                  row.getBoolean(6),
                  row.getBoolean(7),
                  texts(row, 8)));
        }
      }
    }
    return found;
  }

  /** The families of types by their names, without those that do not exist. */
  public Map<String, Long> families(Collection<String> types) throws SQLException {
    Map<String, Long> found = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(FAMILIES)) {
      statement.setArray(1, connection.createArrayOf("text", types.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          @Nullable Object family = row.getObject(2);
          if (family != null) {
            found.put(row.getString(1), row.getLong(2));
          }
        }
      }
    }
    return found;
  }

  /** Whether a unique index covers exactly these columns. */
  public boolean hasUniqueIndex(Table table, List<String> columns) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UNIQUE)) {
      statement.setLong(1, table.oid());
      statement.setArray(2, connection.createArrayOf("text", columns.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /** Whether a transaction that writes a row has its id before this column's default is taken. */
  public boolean takesIdBefore(Table table, String column) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKES_ID)) {
      statement.setLong(1, table.oid());
      statement.setString(2, column);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private static List<String> texts(ResultSet row, int column) throws SQLException {
    return Stream.of((Object[]) row.getArray(column).getArray()).map(Object::toString).toList();
  }
}
