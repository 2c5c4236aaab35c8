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
import java.util.function.Function;

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
    NamedSql insert,
    NamedSql insertCommon,
    NamedSql insertOnce,
    NamedSql insertAll,
    NamedSql insertAllOnce,
    NamedSql findByDedupeKey,
    Optional<NamedSql> insertHeaders) {

  private static final String INSERT = "INSERT INTO {table} ({columns}) VALUES ({values})";

  private static final String INSERT_ALL =
      """
      INSERT INTO {table} ({columns})
      SELECT {each} FROM unnest({arrays}) WITH ORDINALITY AS e({elements}, n) ORDER BY n""";

  private static final String UNLESS_THERE =
      " ON CONFLICT ({namespace}, {topic}, {dedupe_key}) WHERE {dedupe_key} IS NOT NULL"
          + " DO NOTHING RETURNING {id} AS id";

  private static final String FIND =
      """
      SELECT {id} AS id, false AS is_new FROM {table}
      WHERE {namespace} = :of_namespace AND {topic} = :of_topic AND {dedupe_key} = :of_dedupe_key""";

  private static final String INSERT_ONCE =
      "WITH written AS ("
          + INSERT
          + UNLESS_THERE
          + ")\nSELECT id, true AS is_new FROM written\nUNION ALL\n"
          + FIND;

  private static final String FIND_BY_KEY =
      """
      SELECT id, false AS is_new FROM {keys}
      WHERE namespace = :of_namespace AND topic = :of_topic AND dedupe_key = :of_dedupe_key""";

  private static final String TAKE_KEYS =
      """
      taken AS (
        INSERT INTO {keys} (namespace, topic, dedupe_key, id)
        SELECT {namespace}, {topic}, {dedupe_key}, {id} FROM event WHERE {dedupe_key} IS NOT NULL
        ON CONFLICT DO NOTHING RETURNING id)""";

  private static final String INSERT_ONCE_BY_KEY =
      """
      WITH event AS (SELECT {named_values}),
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
        SELECT n, {named_each} FROM unnest({arrays}) WITH ORDINALITY AS e({elements}, n)),
      """
          + TAKE_KEYS
          + """

          INSERT INTO {table} ({columns})
          SELECT {columns} FROM event
          WHERE {dedupe_key} IS NULL OR {id} IN (SELECT id FROM taken)
          ORDER BY n RETURNING {id} AS id""";

  private static final String INSERT_HEADERS =
      """
      INSERT INTO {headers_table} (id, headers)
      SELECT * FROM unnest(CAST(:ids AS {type_of_id}[]), CAST(:headers AS jsonb[]))""";

  /**
   * The statements for a layout whose dedupe keys may be kept in a table of their own, which says
   * for each what event has it.
   */
  static OutboxSql of(Layout layout, Optional<TableName> dedupeKeys) {
    List<Cell> cells = EventRow.of(layout);
    List<Cell> parameters = cells.stream().filter(Cell::hasParameter).toList();
    List<Cell> common = cells.stream().filter(cell -> !cell.rare()).toList();
    SqlTemplate sql = new SqlTemplate(layout);
    Map<String, String> names = new HashMap<>(rows(cells));
    names.put("each", list(cells, OutboxSql::each));
    names.put("named_values", list(cells, cell -> named(cell, value(cell))));
    names.put("named_each", list(cells, cell -> named(cell, each(cell))));
    names.put("arrays", list(parameters, OutboxSql::array));
    names.put("elements", list(parameters, Cell::parameter));
    dedupeKeys.ifPresent(table -> names.put("keys", table.sql()));
    layout.headers().ifPresent(table -> names.put("headers_table", table.sql()));
    String once = INSERT_ONCE;
    String allOnce = INSERT_ALL + UNLESS_THERE;
    String find = FIND;
    if (layout.column(Role.DEDUPE_KEY).isEmpty()) {
      once = INSERT;
      allOnce = INSERT_ALL;
      find = "";
    } else if (dedupeKeys.isPresent()) {
      once = INSERT_ONCE_BY_KEY;
      allOnce = INSERT_ALL_ONCE_BY_KEY;
      find = FIND_BY_KEY;
    }
    return new OutboxSql(
        parameters,
        sql.statement(INSERT, names),
        sql.statement(INSERT, rows(common)),
        sql.statement(once, names),
        sql.statement(INSERT_ALL, names),
        sql.statement(allOnce, names),
        sql.statement(find, names),
        layout.headers().map(table -> sql.statement(INSERT_HEADERS, names)));
  }

  private static Map<String, String> rows(List<Cell> cells) {
    return Map.of(
        "columns", list(cells, cell -> cell.column().sql()),
        "values", list(cells, OutboxSql::value));
  }

  private static String list(List<Cell> cells, Function<Cell, String> sql) {
    return cells.stream().map(sql).collect(joining(", "));
  }

  /** The value of a column for one event. */
  private static String value(Cell cell) {
    return cell.sql(":" + cell.parameter());
  }

  /** The same for each of many events. */
  private static String each(Cell cell) {
    return cell.sql(cell.parameter());
  }

  private static String named(Cell cell, String value) {
    return value + " AS " + cell.column().sql();
  }

  /** The parameter array of a column: bytes for a binary column, text for all others. */
  private static String array(Cell cell) {
    return "CAST(:%s AS %s[])"
        .formatted(cell.parameter(), cell.column().isBinary() ? "bytea" : "text");
  }
}
