package dev.postcommit.internal.admin;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.jdbc.EventTexts;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TimeColumns;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LifecycleKind;
import dev.postcommit.layout.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The statements behind cheap figures, rendered once for a layout. Each stops after {@link #BOUND}
 * matching rows, so it is cheap wherever an index leads to these rows.
 *
 * <p>No order is asked for: it could mean sorting a backlog. An index is read from its low end,
 * where the oldest rows are.
 *
 * @param backlog for each part of the undelivered rows: how many were read, and of them how many
 *     are pending, delayed and dead, and how many milliseconds ago the oldest due one was written
 * @param undelivered all undelivered rows, to be estimated
 * @param undeliveredHasDead whether dead rows are among them
 * @param deadByAttempts whether rows are dead by their attempts alone, so that only reading them
 *     shows all that are
 * @param dead dead rows, to be counted or estimated; absent if only the undelivered rows show them
 * @param delayed delayed rows, to be counted or estimated
 * @param working how many rows are in flight, and the number of relays that have them
 */
record GaugeSql(
    String backlog,
    String undelivered,
    boolean undeliveredHasDead,
    boolean deadByAttempts,
    Optional<Rows> dead,
    Rows delayed,
    String working) {

  /**
   * Rows of a kind.
   *
   * @param some selects them, to be counted up to the bound
   * @param all selects about as many, to be estimated
   */
  record Rows(String some, String all) {

    private Rows(String rows) {
      this(rows, rows);
    }

    private Rows rendered(SqlTemplate template, Map<String, String> names) {
      return new Rows(template.render(some, names), template.render(all, names));
    }

    /** Counts them, but not further than one beyond the bound. */
    String count() {
      return "SELECT count(*) AS rows FROM (%s LIMIT %d) b".formatted(some, BOUND + 1);
    }
  }

  /** How many rows are counted exactly. */
  static final int BOUND = 10_000;

  /** Begins a transaction that reads by index, and not for long. */
  static final String SETTINGS =
      """
      SELECT set_config('statement_timeout', '2000', true), set_config('jit', 'off', true),
        set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)""";

  private static final String BACKLOG =
      """
      SELECT count(*) AS rows, count(*) FILTER (WHERE {pending}) AS pending,
        count(*) FILTER (WHERE {pending} AND NOT {due}) AS delayed, count(*) FILTER (WHERE {dead}) AS dead,
        extract(epoch FROM statement_timestamp()
          - min({written_at}) FILTER (WHERE {pending} AND {due})) * 1000 AS oldest_millis
      FROM (
        {parts}) t{failed}
      GROUP BY t.part""";

  private static final String PART =
      "(SELECT %d AS part, {columns} FROM {table} t WHERE %s LIMIT " + (BOUND + 1) + ")";

  private static final List<Role> READ_ROLES =
      List.of(
          Role.ID,
          Role.STATUS,
          Role.PROCESSED,
          Role.DELIVERED_AT,
          Role.ATTEMPTS,
          Role.DUE_AT,
          Role.CREATED_AT);

  static GaugeSql of(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    RowStates states = RowStates.of(layout);
    Map<String, String> names = new HashMap<>(states.names());
    names.putAll(EventTexts.names(layout));
    names.put("columns", columns(layout));
    names.put("later", "> statement_timestamp()");
    names.put("row", states.row());
    String failed = layout.failures().isPresent() ? " LEFT JOIN {failures} f ON f.id = t.{id}" : "";
    List<String> parts = parts(layout, states);
    String read =
        Stream.iterate(0, i -> i + 1)
            .limit(parts.size())
            .map(i -> PART.formatted(i, parts.get(i)))
            .collect(joining("\n  UNION ALL\n  "));
    return new GaugeSql(
        template.render(BACKLOG.replace("{parts}", read).replace("{failed}", failed), names),
        template.render("SELECT FROM {table} t WHERE " + undelivered(layout, states), names),
        hasDead(layout),
        isDeadByAttempts(layout),
        dead(layout).map(rows -> rows.rendered(template, names)),
        delayed(layout).rendered(template, names),
        AdminSql.working(layout));
  }

  private static boolean hasDead(Layout layout) {
    return isDeadByAttempts(layout)
        || layout.lifecycle().processedFlag().filter(flag -> !flag.marksDead()).isPresent();
  }

  private static boolean isDeadByAttempts(Layout layout) {
    return layout.lifecycle().kind() == LifecycleKind.PUBLISHED_AT;
  }

  private static String columns(Layout layout) {
    return READ_ROLES.stream()
        .flatMap(role -> layout.column(role).stream())
        .map(column -> "t." + column.sql())
        .distinct()
        .collect(joining(", "));
  }

  private static String undelivered(Layout layout, RowStates states) {
    return isDeadByAttempts(layout) ? "t.{delivered_at} IS NULL" : states.row();
  }

  /** What an index leads to each. */
  private static List<String> parts(Layout layout, RowStates states) {
    return switch (layout.lifecycle().kind()) {
      case CLAIMED ->
          List.of(
              "t.{status} = 'pending' AND t.{due_at} IS NULL",
              "t.{status} = 'pending' AND t.{due_at} IS NOT NULL");
      case LEASED -> List.of("t.{status} = 'pending'", "t.{status} = 'processing'");
      default -> List.of(undelivered(layout, states));
    };
  }

  private static Optional<Rows> dead(Layout layout) {
    boolean byAttempts = isDeadByAttempts(layout);
    if (!byAttempts && layout.lifecycle().processedFlag().isEmpty()) {
      return Optional.of(new Rows("SELECT FROM {table} t WHERE {dead}"));
    }
    return layout
        .failures()
        .map(failures -> failed("f.dead_at IS NOT NULL", byAttempts ? "{dead}" : "true"));
  }

  private static Rows delayed(Layout layout) {
    return layout
        .column(Role.DUE_AT)
        .map(due -> "SELECT FROM {table} t WHERE {row} AND t." + TimeColumns.read(due) + " {later}")
        .map(Rows::new)
        .orElse(failed("f.due_at {later}", "{row}"));
  }

  /** Rows of which there is a failure that an index leads to. */
  private static Rows failed(String failure, String row) {
    String failures = "FROM {failures} f WHERE " + failure;
    return new Rows(
        "SELECT FROM (SELECT f.id %s LIMIT %d) f JOIN {table} t ON t.{id} = f.id WHERE %s"
            .formatted(failures, BOUND + 1, row),
        "SELECT " + failures);
  }

  /** Asks the planner how many rows it expects. */
  static String estimate(String rows) {
    return "EXPLAIN (FORMAT JSON) " + rows;
  }
}
