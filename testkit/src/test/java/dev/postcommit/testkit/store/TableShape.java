package dev.postcommit.testkit.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What the catalogue says of a table.
 *
 * @param columns name, type with length, nullability and default, in order
 * @param indexes name, whether unique, and what it covers
 * @param constraints name and definition, but for NOT NULL
 * @param triggers names
 */
record TableShape(
    List<String> columns, List<String> indexes, List<String> constraints, List<String> triggers) {

  static TableShape of(DataSource dataSource, String table) throws SQLException {
    String regclass = "CAST('" + table + "' AS regclass)";
    return new TableShape(
        list(
            dataSource,
            """
            SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod),
              CASE WHEN attnotnull THEN 'not null' END,
              'default ' || pg_get_expr(adbin, adrelid), nullif(attidentity, ''))
            FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
            WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum"""
                .formatted(regclass)),
        list(
            dataSource,
            """
            SELECT regexp_replace(pg_get_indexdef(indexrelid),
              'CREATE (UNIQUE )?INDEX (\\S+) ON \\S+ USING (\\S+) ', '\\2 \\1\\3 ')
            FROM pg_index WHERE indrelid = %s ORDER BY 1"""
                .formatted(regclass)),
        list(
            dataSource,
            """
            SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
            WHERE conrelid = %s AND contype <> 'n' ORDER BY 1"""
                .formatted(regclass)),
        list(
            dataSource,
            "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = " + regclass));
  }

  static List<String> list(DataSource dataSource, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  static void execute(DataSource dataSource, String... statements) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
