package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  private static final NamedSql TABLE =
      NamedSql.of(
          """
      SELECT c.oid, c.relkind, current_user AS reader, has_schema_privilege(n.oid, 'USAGE') AS schema_usable
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relname = :name AND CAST(c.relkind AS text) = ANY (:kinds)
        AND coalesce(n.nspname = CAST(:schema AS text), pg_table_is_visible(c.oid))""");

  /** Text and varchar hold the same values, so one may be described as the other. */
  private static final String FAMILY =
      "CAST(CASE %1$s WHEN CAST('varchar' AS regtype) THEN CAST('text' AS regtype) ELSE %1$s END"
          + " AS oid)";

  private static final NamedSql ATTRIBUTES =
      NamedSql.of(
          """
      SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
        {family} AS family,
        CASE WHEN a.atttypid = CAST('varchar' AS regtype) AND a.atttypmod > 4
          THEN a.atttypmod - 4 ELSE 0 END AS length,
        NOT a.attnotnull AS nullable,
        NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '' AS optional,
        EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique
          AND i.indisvalid AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
          AND i.indpred IS NULL AND i.indexprs IS NULL) AS is_unique,
        ARRAY(SELECT e.enumlabel FROM pg_enum e WHERE e.enumtypid = a.atttypid
          ORDER BY e.enumsortorder) AS labels
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = CAST(:table AS oid) AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum"""
              .replace(
                  "{family}", FAMILY.formatted("coalesce(nullif(t.typbasetype, 0), a.atttypid)")));

  private static final NamedSql FAMILIES =
      NamedSql.of(
          "SELECT t AS type, "
              + FAMILY.formatted("CAST(to_regtype(t) AS oid)")
              + " AS family FROM unnest(CAST(:types AS text[])) t");

  private static final NamedSql UNIQUE =
      NamedSql.of(
          """
      SELECT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = CAST(:table AS oid) AND i.indisunique
        AND i.indisvalid AND i.indexprs IS NULL AND i.indnkeyatts = cardinality(n.names)
        AND n.names @> ARRAY(SELECT CAST(a.attname AS text) FROM pg_attribute a
          WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey))) AS is_there
      FROM (SELECT CAST(:columns AS text[]) AS names) n""");

  private static final NamedSql TAKES_ID =
      NamedSql.of(
          """
      SELECT EXISTS (SELECT FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum < a.attnum
        AND pg_get_expr(d.adbin, d.adrelid) LIKE '%pg_current_xact_id()%') AS is_there
      FROM pg_attribute a WHERE a.attrelid = CAST(:table AS oid) AND a.attname = :column""");

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
    return TABLE.run(
        connection,
        to ->
            to.set("name", name.name())
                .set("kinds", kinds)
                .set("schema", name.schema())
                .optionalRow(
                    row ->
                        new Table(
                            row.getLong("oid"),
                            row.getString("relkind"),
                            row.getString("reader"),
                            row.getBoolean("schema_usable"))));
  }

  /** The columns in their order, by name. */
  public Map<String, Attribute> attributes(Table table) throws SQLException {
    Map<String, Attribute> found = new LinkedHashMap<>();
    ATTRIBUTES.run(
        connection,
        to ->
            to.set("table", table.oid())
                .forEach(row -> found.put(row.getString("name"), attribute(row))));
    return found;
  }

  private static Attribute attribute(ResultSet row) throws SQLException {
    return new Attribute(
        row.getString("name"),
        row.getString("type"),
        row.getLong("family"),
        row.getInt("length"),
        row.getBoolean("nullable"),
        row.getBoolean("optional"),
        row.getBoolean("is_unique"),
        Database.ids(row.getArray("labels")));
  }

  /** The families of types by their names, without those that do not exist. */
  public Map<String, Long> families(Collection<String> types) throws SQLException {
    Map<String, Long> found = new HashMap<>();
    FAMILIES.run(
        connection,
        to ->
            to.setTexts("types", types)
                .forEach(
                    row -> {
                      long family = row.getLong("family");
                      if (!row.wasNull()) {
                        found.put(row.getString("type"), family);
                      }
                    }));
    return found;
  }

  /** Whether a unique index covers exactly these columns. */
  public boolean hasUniqueIndex(Table table, List<String> columns) throws SQLException {
    return UNIQUE.run(
        connection,
        to ->
            to.set("table", table.oid())
                .setTexts("columns", columns)
                .row(row -> row.getBoolean("is_there")));
  }

  /** Whether a transaction that writes a row has its id before this column's default is taken. */
  public boolean takesIdBefore(Table table, String column) throws SQLException {
    return TAKES_ID.run(
        connection,
        to ->
            to.set("table", table.oid())
                .set("column", column)
                .optionalRow(row -> row.getBoolean("is_there"))
                .orElse(false));
  }
}
