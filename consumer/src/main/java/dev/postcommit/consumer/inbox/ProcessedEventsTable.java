package dev.postcommit.consumer.inbox;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table of processed events, as the catalogue describes it.
 *
 * @param name the table
 * @param ids what its column {@code event_id} holds
 * @param type its column {@code event_type}, or null if it has none
 * @param source its column {@code source}, or null if it has none
 * @param hasClaims whether the table of claims is there
 * @param hasConsumer whether the table that names the consumer is there
 */
record ProcessedEventsTable(
    TableName name,
    EventIdColumn ids,
    @Nullable Column type,
    @Nullable Column source,
    boolean hasClaims,
    boolean hasConsumer) {

  /**
   * A column.
   *
   * @param base its type, or the one its domain is made of, as {@code pg_type} names it
   * @param type its type as SQL spells it
   * @param length the most characters it holds, or 0 if there is no limit
   * @param optional whether a row can be written without it
   * @param unique whether a unique index covers it alone and all rows
   */
  record Column(
      String base, String type, int length, boolean notNull, boolean optional, boolean unique) {}

  private static final Set<String> OWN = Set.of("event_id", "processed_at", "event_type", "source");

  private static final String COLUMNS =
      """
      SELECT a.attname, coalesce(b.typname, t.typname), format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.atttypid = CAST('varchar' AS regtype) AND a.atttypmod > 4
          THEN a.atttypmod - 4 ELSE 0 END,
        a.attnotnull, NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '',
        EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique
          AND i.indisvalid AND i.indimmediate AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
          AND i.indpred IS NULL AND i.indexprs IS NULL)
      FROM pg_attribute a
      JOIN pg_type t ON t.oid = a.atttypid
      LEFT JOIN pg_type b ON b.oid = t.typbasetype
      WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum""";

  private static final String SIDE_TABLES =
      "SELECT to_regclass(?) IS NOT NULL, to_regclass(?) IS NOT NULL";

  static TableName claims(TableName table) {
    return table.withSuffix("_claim");
  }

  static TableName consumer(TableName table) {
    return table.withSuffix("_consumer");
  }

  /**
   * Reads the catalogue.
   *
   * @throws StoreUnavailableException if the table is missing
   * @throws PostcommitException if it cannot be used
   */
  static ProcessedEventsTable read(Connection connection, TableName name) throws SQLException {
    Map<String, Column> columns = columns(connection, name);
    if (columns.isEmpty()) {
      throw new StoreUnavailableException(
          "table " + name + " is missing; run InboxMigration.migrate", null);
    }
    checkOthers(name, columns);
    processedAt(name, columns);
    EventIdColumn ids = ids(name, columns);
    try (PreparedStatement statement = connection.prepareStatement(SIDE_TABLES)) {
      statement.setString(1, claims(name).sql());
      statement.setString(2, consumer(name).sql());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new ProcessedEventsTable(
            name,
            ids,
            columns.get("event_type"),
            columns.get("source"),
            row.getBoolean(1),
            row.getBoolean(2));
      }
    }
  }

  private static Map<String, Column> columns(Connection connection, TableName name)
      throws SQLException {
    Map<String, Column> columns = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
      statement.setString(1, name.sql());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          columns.put(
              row.getString(1),
              new Column(
                  row.getString(2),
                  row.getString(3),
                  row.getInt(4),
                  row.getBoolean(5),
                  row.getBoolean(6),
                  row.getBoolean(7)));
        }
      }
    }
    return columns;
  }

  private static void checkOthers(TableName name, Map<String, Column> columns) {
    List<String> unknown =
        columns.entrySet().stream()
            .filter(column -> !OWN.contains(column.getKey()) && !column.getValue().optional())
            .map(Map.Entry::getKey)
            .toList();
    if (!unknown.isEmpty()) {
      throw new PostcommitException(
          "%s has columns that must be written and are not known here: %s; give them a default"
              .formatted(name, String.join(", ", unknown)));
    }
  }

  private static void processedAt(TableName name, Map<String, Column> columns) {
    @Nullable Column column = columns.get("processed_at");
    if (column == null || !Set.of("timestamptz", "timestamp").contains(column.base())) {
      throw new PostcommitException(
          name + " needs a column processed_at of type timestamptz or timestamp");
    }
  }

  private static EventIdColumn ids(TableName name, Map<String, Column> columns) {
    @Nullable Column column = columns.get("event_id");
    if (column == null || !column.unique()) {
      throw new PostcommitException(
          name + " needs a column event_id that is its primary key, or unique");
    }
    EventIdColumn.Kind kind =
        switch (column.base()) {
          case "uuid" -> EventIdColumn.Kind.UUID;
          case "text", "varchar" -> EventIdColumn.Kind.TEXT;
          case "int8" -> EventIdColumn.Kind.NUMBER;
          default ->
              throw new PostcommitException(
                  "column event_id of %s is of type %s; uuid, text, varchar and bigint will do"
                      .formatted(name, column.type()));
        };
    return new EventIdColumn(kind, column.type(), column.length());
  }
}
