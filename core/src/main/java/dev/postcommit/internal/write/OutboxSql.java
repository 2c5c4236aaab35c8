package dev.postcommit.internal.write;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.write.EventRow.Cell;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statements of the writing side, rendered once for a layout.
 *
 * @param cells the columns that take a parameter, in the order of the parameters
 * @param insert writes one event
 * @param insertCommon writes one event that has nothing for the rare columns, which are left out:
 *     what a statement names, Postgres and the driver work on
 * @param insertOnce writes one event unless its dedupe key is there; returns the row's id and
 *     whether it was written now, or nothing if the other row was committed while this one waited
 * @param insertAll writes many events in order
 * @param insertAllOnce writes many events in order but those whose dedupe key is there; returns the
 *     ids of the rows written
 * @param findByDedupeKey finds an event by namespace, topic and dedupe key
 * @param insertHeaders writes the headers of events to their own table, if there is one
 */
record OutboxSql(
    List<Cell> cells,
    String insert,
    String insertCommon,
    String insertOnce,
    String insertAll,
    String insertAllOnce,
    String findByDedupeKey,
    Optional<NamedSql> insertHeaders) {

  private static final String FIND_BY_KEY =
      "SELECT id, false AS is_new FROM {keys} WHERE namespace = ? AND topic = ? AND dedupe_key = ?";

  private static final String TAKE_KEYS =
      """
      taken AS (
        INSERT INTO {keys} (namespace, topic, dedupe_key, id)
        SELECT {namespace}, {topic}, {dedupe_key}, {id} FROM event WHERE {dedupe_key} IS NOT NULL
        ON CONFLICT DO NOTHING RETURNING id)""";

  private static final String INSERT_ONCE_BY_KEY =
      """
      WITH event AS (SELECT {values}),
      """
          + TAKE_KEYS
          + """
          ,
          written AS (
            INSERT INTO {table} ({columns})
            SELECT {columns} FROM event WHERE EXISTS (SELECT FROM taken) RETURNING {id})
          SELECT {id} AS id, true AS is_new FROM written
          UNION ALL
          """
          + FIND_BY_KEY;

  private static final String INSERT_ALL_ONCE_BY_KEY =
      """
      WITH event AS (
        SELECT n, {each} FROM unnest({arrays}) WITH ORDINALITY AS e({elements}, n)),
      """
          + TAKE_KEYS
          + """

          INSERT INTO {table} ({columns})
          SELECT {columns} FROM event
          WHERE {dedupe_key} IS NULL OR {id} IN (SELECT id FROM taken)
          ORDER BY n RETURNING {id} AS id""";

  static OutboxSql of(Layout layout) {
    return of(layout, layout.dedupeKeys());
  }

  /**
   * The statements for a layout whose dedupe keys may be kept in a table of their own, which says
   * for each what event has it.
   */
  static OutboxSql of(Layout layout, Optional<TableName> dedupeKeys) {
    List<Cell> cells = EventRow.of(layout);
    List<Cell> parameters = cells.stream().filter(Cell::hasParameter).toList();
    Map<String, String> names =
        Map.of(
            "columns", columns(cells),
            "each",
                cells.stream()
                    .map(cell -> cell.sql(element(parameters, cell)))
                    .collect(joining(", ")),
            "arrays", parameters.stream().map(OutboxSql::array).collect(joining(", ")),
            "elements",
                parameters.stream().map(cell -> element(parameters, cell)).collect(joining(", ")));
    SqlTemplate sql = new SqlTemplate(layout);
    String insert = insert(sql, cells);
    String insertCommon = insert(sql, cells.stream().filter(cell -> !cell.rare()).toList());
    String insertAll =
        sql.render(
            """
            INSERT INTO {table} ({columns})
            SELECT {each} FROM unnest({arrays}) WITH ORDINALITY AS e({elements}, n) ORDER BY n""",
            names);
    Optional<NamedSql> headers =
        layout
            .headers()
            .map(
                table ->
                    sql.statement(
                        "INSERT INTO "
                            + table.sql()
                            + " (id, headers) SELECT * FROM unnest(CAST(:ids AS {type_of_id}[]),"
                            + " CAST(:headers AS jsonb[]))"));
    if (layout.column(Role.DEDUPE_KEY).isEmpty()) {
      return new OutboxSql(
          parameters, insert, insertCommon, insert, insertAll, insertAll, "", headers);
    }
    if (dedupeKeys.isPresent()) {
      Map<String, String> all = new HashMap<>(names);
      all.put("keys", dedupeKeys.get().sql());
      all.put(
          "values", cells.stream().map(cell -> named(cell, cell.sql("?"))).collect(joining(", ")));
      all.put(
          "each",
          cells.stream()
              .map(cell -> named(cell, cell.sql(element(parameters, cell))))
              .collect(joining(", ")));
      return new OutboxSql(
          parameters,
          insert,
          insertCommon,
          sql.render(INSERT_ONCE_BY_KEY, all),
          insertAll,
          sql.render(INSERT_ALL_ONCE_BY_KEY, all),
          sql.render(FIND_BY_KEY, all),
          headers);
    }
    String once =
        sql.render(
            " ON CONFLICT ({namespace}, {topic}, {dedupe_key}) WHERE {dedupe_key} IS NOT NULL"
                + " DO NOTHING RETURNING {id} AS id");
    String find =
        sql.render(
            "SELECT {id} AS id, false AS is_new FROM {table}"
                + " WHERE {namespace} = ? AND {topic} = ? AND {dedupe_key} = ?");
    String insertOnce =
        sql.render(
            """
            WITH written AS (
              {insert})
            SELECT id, true AS is_new FROM written
            UNION ALL
            {find}""",
            Map.of("insert", insert + once, "find", find));
    return new OutboxSql(
        parameters, insert, insertCommon, insertOnce, insertAll, insertAll + once, find, headers);
  }

  private static String named(Cell cell, String value) {
    return value + " AS " + cell.column().sql();
  }

  private static String insert(SqlTemplate sql, List<Cell> cells) {
    return sql.render(
        "INSERT INTO {table} ({columns}) VALUES ({values})",
        Map.of(
            "columns",
            columns(cells),
            "values",
            cells.stream().map(cell -> cell.sql("?")).collect(joining(", "))));
  }

  private static String columns(List<Cell> cells) {
    return cells.stream().map(cell -> cell.column().sql()).collect(joining(", "));
  }

  /** The parameter array of a column: bytes for a binary column, text for all others. */
  private static String array(Cell cell) {
    return cell.column().isBinary() ? "CAST(? AS bytea[])" : "CAST(? AS text[])";
  }

  private static String element(List<Cell> parameters, Cell cell) {
    return "c" + parameters.indexOf(cell);
  }
}
