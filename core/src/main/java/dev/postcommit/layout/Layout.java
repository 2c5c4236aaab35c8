package dev.postcommit.layout;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The shape of an outbox table: its columns by role, and its lifecycle.
 *
 * @param name names the layout in messages
 * @param table the table
 * @param columns the column for each role; what has no column is not stored
 * @param lifecycle how the table records what became of a row
 * @param retryPolicy when failed events are tried again and given up, unless a relay is told
 *     otherwise
 * @param settings what the layout says about the settings of its relays
 * @param migrations the folder on the class path with the migrations that create the table; null if
 *     it is adopted
 */
public record Layout(
    String name,
    TableName table,
    Map<Role, Column> columns,
    Lifecycle lifecycle,
    RetryPolicy retryPolicy,
    LayoutSettings settings,
    @Nullable String migrations) {

  /** Copies the columns, and rejects a layout that lacks a column it needs. */
  public Layout {
    columns = Collections.unmodifiableMap(new EnumMap<>(columns));
    for (Role needed : lifecycle.kind().needs()) {
      if (!columns.containsKey(needed)) {
        throw new IllegalArgumentException("layout " + name + " has no column for " + needed);
      }
    }
    if (columns.containsKey(Role.TENANT) && !columns.get(Role.TENANT).type().equals("uuid")) {
      throw new IllegalArgumentException(
          "layout " + name + ": the column for TENANT must be of type uuid");
    }
    if (!columns.containsKey(Role.TYPE) && !columns.containsKey(Role.TOPIC)) {
      throw new IllegalArgumentException("layout " + name + " has no column for TYPE or TOPIC");
    }
    if (!columns.containsKey(Role.SEQ) && !columns.containsKey(Role.CREATED_AT)) {
      throw new IllegalArgumentException(
          "layout " + name + " has no column for SEQ or CREATED_AT, so its events have no order");
    }
  }

  /** Starts the description of an existing table that no preset matches. */
  public static LayoutBuilder adopt(TableName table) {
    return new LayoutBuilder(table);
  }

  /** The native table {@code postcommit_outbox}: claim records, delivered rows kept. */
  public static Layout nativeTable() {
    return preset("native");
  }

  /** A native table of another name; the table of its claims adds {@code _claim} to it. */
  public static Layout nativeTable(TableName table) {
    return preset("native", table);
  }

  /** The table {@code postcommit_log}: rows that never change, and a cursor; for volume. */
  public static Layout log() {
    return preset("log");
  }

  /**
   * A log of another name; the tables beside it add {@code _cursor}, {@code _diverted} and {@code
   * _dedupe} to it.
   */
  public static Layout log(TableName table) {
    return preset("log", table);
  }

  /**
   * The layout of this name: {@code native}, {@code log}, or that of one of the systems whose table
   * Postcommit knows.
   *
   * @throws IllegalArgumentException if there is no preset of this name
   */
  public static Layout preset(String name) {
    return Presets.of(name, null);
  }

  /**
   * A preset with another table. If its columns have enum types, these are in the table's schema.
   *
   * @throws IllegalArgumentException if there is no preset of this name
   */
  public static Layout preset(String name, TableName table) {
    return Presets.of(name, table);
  }

  /** The names of all presets. */
  public static List<String> presets() {
    return Presets.NAMES;
  }

  /**
   * Whether this is one of the layouts that Postcommit can create, rather than an adopted table.
   */
  public boolean isPreset() {
    return migrations != null;
  }

  /** Whether this is a log. */
  public boolean isLog() {
    return lifecycle.kind() == LifecycleKind.LOG;
  }

  /** Whether relays {@linkplain LifecycleKind#isHeld hold} rows. */
  public boolean isHeld() {
    return lifecycle.kind().isHeld();
  }

  /** This layout with delivered rows deleted instead of kept. */
  public Layout deletingOnDelivery() {
    return withLifecycle(lifecycle.with(OnDelivery.DELETE));
  }

  /** This layout with another retry policy. */
  public Layout withRetryPolicy(RetryPolicy policy) {
    return new Layout(name, table, columns, lifecycle, policy, settings, migrations);
  }

  /** This layout with another lifecycle for the same columns. */
  public Layout withLifecycle(Lifecycle other) {
    return new Layout(name, table, columns, other, retryPolicy, settings, migrations);
  }

  /** This layout with another column for a role. */
  public Layout withColumn(Role role, Column column) {
    Map<Role, Column> changed = new EnumMap<>(columns);
    changed.put(role, column);
    return new Layout(name, table, changed, lifecycle, retryPolicy, settings, migrations);
  }

  /** Whether delivered rows stay in the table. */
  public boolean keepsDelivered() {
    return lifecycle.onDelivery() == OnDelivery.KEEP;
  }

  /** The table that records which relay has claimed which rows, if the lifecycle has one. */
  public Optional<TableName> claims() {
    return lifecycle instanceof Claimed claimed ? Optional.of(claimed.claims()) : Optional.empty();
  }

  /** The table that says how far a log is delivered. */
  public Optional<TableName> cursor() {
    return lifecycle instanceof Log log ? Optional.of(log.cursor()) : Optional.empty();
  }

  /**
   * The table that remembers failed attempts, if a held lifecycle lacks columns for them: for each
   * event that failed, its attempts, when it is due again, or that it is dead.
   */
  public Optional<TableName> failures() {
    boolean needed =
        isHeld()
            && (lifecycle.processedFlag().isPresent()
                || !columns.containsKey(Role.DUE_AT)
                || !columns.containsKey(Role.ATTEMPTS)
                || !columns.containsKey(Role.LAST_ERROR));
    return needed ? Optional.of(table.withSuffix("_failure")) : Optional.empty();
  }

  /** The table that holds the headers of events, if a held lifecycle's own has no column. */
  public Optional<TableName> headers() {
    boolean needed = isHeld() && !columns.containsKey(Role.HEADERS);
    return needed ? Optional.of(table.withSuffix("_header")) : Optional.empty();
  }

  /**
   * The native table of a log, for events that cannot go their way in order: those that failed, the
   * later ones of their keys, and those with a time of their own.
   */
  public Optional<Layout> diverted() {
    return isLog()
        ? Optional.of(nativeTable(table.withSuffix("_diverted")).withRetryPolicy(retryPolicy))
        : Optional.empty();
  }

  /** The table that holds the dedupe keys of a log, whose own has no index over all partitions. */
  public Optional<TableName> dedupeKeys() {
    return isLog() ? Optional.of(table.withSuffix("_dedupe")) : Optional.empty();
  }

  /** Whether events may have headers: in a column, or in the table of {@link #headers()}. */
  public boolean keepsHeaders() {
    return columns.containsKey(Role.HEADERS) || headers().isPresent();
  }

  /** The table that records operators' decisions about dead events. */
  public TableName audit() {
    return diverted().map(Layout::audit).orElseGet(() -> table.withSuffix("_audit"));
  }

  /** The table in which running relays register. */
  public TableName relays() {
    return table.withSuffix("_relay");
  }

  /** The table that says whether relays must pause. */
  public TableName pause() {
    return table.withSuffix("_pause");
  }

  /** The table of topics that accept no messages, because they are missing or forbidden. */
  public TableName topics() {
    return table.withSuffix("_topic");
  }

  /** The column for {@code role}, if there is one. */
  public Optional<Column> column(Role role) {
    return Optional.ofNullable(columns.get(role));
  }

  /**
   * The column for {@code role}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Column required(Role role) {
    return column(role)
        .orElseThrow(
            () -> new IllegalArgumentException("layout " + name + " has no column for " + role));
  }

  /** The quoted name of the column for {@code role}, which must exist. */
  public String sql(Role role) {
    return required(role).sql();
  }
}
