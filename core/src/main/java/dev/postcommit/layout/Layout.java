package dev.postcommit.layout;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Held;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.PublishedAt;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The shape of an outbox table: its columns by role, and its lifecycle.
 *
 * @param name names the layout in messages, and the place of its migrations
 * @param table the table
 * @param columns the column that plays each role; a role without a column is not kept
 * @param lifecycle how the table records what became of a row
 * @param retryPolicy when failed events are tried again and given up, unless a relay is told
 *     otherwise
 */
public record Layout(
    String name,
    TableName table,
    Map<Role, Column> columns,
    Lifecycle lifecycle,
    RetryPolicy retryPolicy) {

  /** Keeps its own copy of the columns, and refuses a layout that lacks one it needs. */
  public Layout {
    columns = Collections.unmodifiableMap(new EnumMap<>(columns));
    for (Role needed : neededBy(lifecycle)) {
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

  static List<Role> neededBy(Lifecycle lifecycle) {
    if (lifecycle instanceof Claimed) {
      return List.of(
          Role.ID,
          Role.PAYLOAD,
          Role.SEQ,
          Role.KEY,
          Role.CREATED_AT,
          Role.STATUS,
          Role.DUE_AT,
          Role.ATTEMPTS,
          Role.LAST_ERROR,
          Role.DELIVERED_AT);
    }
    if (lifecycle instanceof Leased) {
      return List.of(
          Role.ID,
          Role.PAYLOAD,
          Role.KEY,
          Role.CREATED_AT,
          Role.STATUS,
          Role.DUE_AT,
          Role.ATTEMPTS,
          Role.LAST_ERROR,
          Role.LOCKED_BY,
          Role.LOCKED_UNTIL,
          Role.UPDATED_AT);
    }
    if (lifecycle instanceof Log) {
      return List.of(Role.ID, Role.PAYLOAD, Role.SEQ, Role.KEY, Role.CREATED_AT);
    }
    if (lifecycle instanceof PublishedAt) {
      return List.of(Role.ID, Role.PAYLOAD, Role.DELIVERED_AT, Role.ATTEMPTS);
    }
    return List.of(
        Role.ID, Role.PAYLOAD, lifecycle instanceof ProcessedFlag ? Role.PROCESSED : Role.STATUS);
  }

  /** Starts the description of a table that is there already and that no preset matches. */
  public static LayoutBuilder adopt(TableName table) {
    return new LayoutBuilder(table);
  }

  /** The native table {@code postcommit_outbox}: claim records, delivered rows kept. */
  public static Layout nativeTable() {
    return nativeTable(TableName.of("postcommit_outbox"));
  }

  /** A native table of another name; its claims are in the table whose name adds {@code _claim}. */
  public static Layout nativeTable(TableName table) {
    return Presets.nativeTable(table);
  }

  /** The table {@code postcommit_log}: rows that never change, and a cursor; for volume. */
  public static Layout log() {
    return log(TableName.of("postcommit_log"));
  }

  /**
   * A log of another name; the tables beside it add {@code _cursor}, {@code _diverted} and {@code
   * _dedupe} to it.
   */
  public static Layout log(TableName table) {
    return Presets.log(table);
  }

  /** The table {@code modkit_outbox_events}: row leases, delivered rows kept. */
  public static Layout modkit() {
    return modkit(TableName.of("modkit_outbox_events"));
  }

  /**
   * A modkit table of another name. It has no type column, so an event's type is its topic; the
   * tenant is also the key.
   */
  public static Layout modkit(TableName table) {
    return Presets.modkit(table);
  }

  /** Logistik's table {@code outbox_events}: held, with a status of PENDING, PUBLISHED, FAILED. */
  public static Layout logistik() {
    return logistik(TableName.of("outbox_events"));
  }

  /** A Logistik table of another name. */
  public static Layout logistik(TableName table) {
    return Presets.logistik(table);
  }

  /** PackFinderz' table {@code outbox_events}: held, delivered once it has a published_at. */
  public static Layout packFinderz() {
    return packFinderz(TableName.of("outbox_events"));
  }

  /** A PackFinderz table of another name; its enum types are in the table's schema. */
  public static Layout packFinderz(TableName table) {
    return Presets.packFinderz(table);
  }

  /** PolyShop's table {@code outbox_events}: held, with a flag for processed rows. */
  public static Layout polyShop() {
    return polyShop(TableName.of("outbox_events"));
  }

  /** A PolyShop table of another name. */
  public static Layout polyShop(TableName table) {
    return Presets.polyShop(table);
  }

  /**
   * Whether this is one of the layouts that Postcommit can create, rather than an adopted table.
   */
  public boolean isPreset() {
    return Presets.NAMES.contains(name);
  }

  /** This layout, with delivered rows deleted instead of kept. */
  public Layout deletingOnDelivery() {
    return withLifecycle(lifecycle.with(OnDelivery.DELETE));
  }

  /** This layout with another retry policy. */
  public Layout withRetryPolicy(RetryPolicy policy) {
    return new Layout(name, table, columns, lifecycle, policy);
  }

  /** This layout with another lifecycle for the same columns. */
  public Layout withLifecycle(Lifecycle other) {
    return new Layout(name, table, columns, other, retryPolicy);
  }

  /** This layout with another column for a role. */
  public Layout withColumn(Role role, Column column) {
    Map<Role, Column> changed = new EnumMap<>(columns);
    changed.put(role, column);
    return new Layout(name, table, changed, lifecycle, retryPolicy);
  }

  /** Whether delivered rows stay in the table. */
  public boolean keepsDelivered() {
    return lifecycle.onDelivery() == OnDelivery.KEEP;
  }

  /**
   * The table that remembers failed attempts, if a held lifecycle lacks columns for them: for each
   * event that failed, its attempts, when it is due again, or that it is dead.
   */
  public Optional<TableName> failures() {
    boolean needed =
        lifecycle instanceof Held
            && (lifecycle instanceof ProcessedFlag
                || !columns.containsKey(Role.DUE_AT)
                || !columns.containsKey(Role.ATTEMPTS)
                || !columns.containsKey(Role.LAST_ERROR));
    return needed ? Optional.of(table.withSuffix("_failure")) : Optional.empty();
  }

  /** The table that holds the headers of events, if a held lifecycle's own has no column. */
  public Optional<TableName> headers() {
    boolean needed = lifecycle instanceof Held && !columns.containsKey(Role.HEADERS);
    return needed ? Optional.of(table.withSuffix("_header")) : Optional.empty();
  }

  /**
   * The native table of a log, for events that cannot go their way in order: those that failed, the
   * later ones of their keys, and those with a time of their own.
   */
  public Optional<Layout> diverted() {
    return lifecycle instanceof Log
        ? Optional.of(nativeTable(table.withSuffix("_diverted")).withRetryPolicy(retryPolicy))
        : Optional.empty();
  }

  /** The table that holds the dedupe keys of a log, whose own has no index over all partitions. */
  public Optional<TableName> dedupeKeys() {
    return lifecycle instanceof Log ? Optional.of(table.withSuffix("_dedupe")) : Optional.empty();
  }

  /** Whether events may have headers: in a column, or in the table of {@link #headers()}. */
  public boolean keepsHeaders() {
    return columns.containsKey(Role.HEADERS) || headers().isPresent();
  }

  /** The table that records what operators did to dead events. */
  public TableName audit() {
    return diverted().map(Layout::audit).orElseGet(() -> table.withSuffix("_audit"));
  }

  /** The table in which relays show that they are there. */
  public TableName relays() {
    return table.withSuffix("_relay");
  }

  /** The table that says whether relays are to pause. */
  public TableName pause() {
    return table.withSuffix("_pause");
  }

  /** The table that says which topics take no messages, because they are missing or forbidden. */
  public TableName topics() {
    return table.withSuffix("_topic");
  }

  /** The column that plays {@code role}, if there is one. */
  public Optional<Column> column(Role role) {
    return Optional.ofNullable(columns.get(role));
  }

  /**
   * The column that plays {@code role}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Column required(Role role) {
    return column(role)
        .orElseThrow(
            () -> new IllegalArgumentException("layout " + name + " has no column for " + role));
  }

  /** The quoted name of the column that plays {@code role}, which must be there. */
  public String sql(Role role) {
    return required(role).sql();
  }
}
