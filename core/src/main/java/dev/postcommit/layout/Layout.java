package dev.postcommit.layout;

import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The shape of an outbox table: its columns by role, and its lifecycle.
 *
 * @param name names the layout in messages, and the place of its migrations
 * @param table the table
 * @param columns the column that plays each role; a role without a column is not kept
 * @param lifecycle how the table records what became of a row
 */
public record Layout(String name, TableName table, Map<Role, Column> columns, Lifecycle lifecycle) {

  /** Keeps its own copy of the columns. */
  public Layout {
    columns = Collections.unmodifiableMap(new EnumMap<>(columns));
    for (Role needed : new Role[] {Role.ID, Role.TOPIC, Role.PAYLOAD}) {
      if (!columns.containsKey(needed)) {
        throw new IllegalArgumentException("layout " + name + " has no column for " + needed);
      }
    }
  }

  /** The native table {@code postcommit_outbox}: claim records, delivered rows kept. */
  public static Layout nativeTable() {
    return nativeTable(TableName.of("postcommit_outbox"));
  }

  /** A native table of another name; its claims are in the table whose name adds {@code _claim}. */
  public static Layout nativeTable(TableName table) {
    Map<Role, Column> columns = new EnumMap<>(Role.class);
    columns.put(Role.ID, new Column("id", "uuid"));
    columns.put(Role.SEQ, new Column("seq", "bigint"));
    columns.put(Role.NAMESPACE, new Column("namespace", "text"));
    columns.put(Role.TOPIC, new Column("topic", "text"));
    columns.put(Role.TENANT, new Column("tenant", "uuid"));
    columns.put(Role.DEDUPE_KEY, new Column("dedupe_key", "text"));
    columns.put(Role.TYPE, new Column("type", "text"));
    columns.put(Role.AGGREGATE_TYPE, new Column("aggregate_type", "text"));
    columns.put(Role.AGGREGATE_ID, new Column("aggregate_id", "text"));
    columns.put(Role.KEY, new Column("key", "text"));
    columns.put(Role.VERSION, new Column("version", "int"));
    columns.put(Role.HEADERS, new Column("headers", "jsonb"));
    columns.put(Role.PAYLOAD, new Column("payload", "bytea"));
    columns.put(Role.CREATED_AT, new Column("created_at", "timestamptz"));
    columns.put(Role.DUE_AT, new Column("due_at", "timestamptz"));
    columns.put(Role.STATUS, new Column("status", "text"));
    columns.put(Role.ATTEMPTS, new Column("attempts", "int"));
    columns.put(Role.LAST_ERROR, new Column("last_error", "text"));
    columns.put(Role.DELIVERED_AT, new Column("delivered_at", "timestamptz"));
    return new Layout(
        "native", table, columns, new Claimed(table.withSuffix("_claim"), OnDelivery.KEEP));
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
    Map<Role, Column> columns = new EnumMap<>(Role.class);
    columns.put(Role.ID, new Column("id", "uuid"));
    columns.put(Role.NAMESPACE, new Column("namespace", "text"));
    columns.put(Role.TOPIC, new Column("topic", "text"));
    columns.put(Role.TENANT, new Column("tenant_id", "uuid"));
    columns.put(Role.KEY, new Column("tenant_id", "uuid"));
    columns.put(Role.DEDUPE_KEY, new Column("dedupe_key", "text"));
    columns.put(Role.PAYLOAD, new Column("payload", "jsonb"));
    columns.put(Role.STATUS, new Column("status", "text"));
    columns.put(Role.ATTEMPTS, new Column("attempts", "int"));
    columns.put(Role.DUE_AT, new Column("next_attempt_at", "timestamptz"));
    columns.put(Role.LOCKED_BY, new Column("locked_by", "uuid"));
    columns.put(Role.LOCKED_UNTIL, new Column("locked_until", "timestamptz"));
    columns.put(Role.LAST_ERROR, new Column("last_error", "text"));
    columns.put(Role.CREATED_AT, new Column("created_at", "timestamptz"));
    columns.put(Role.UPDATED_AT, new Column("updated_at", "timestamptz"));
    return new Layout("modkit", table, columns, new Leased(OnDelivery.KEEP));
  }

  /** This layout, with delivered rows deleted instead of kept. */
  public Layout deletingOnDelivery() {
    return new Layout(name, table, columns, lifecycle.with(OnDelivery.DELETE));
  }

  /** Whether delivered rows stay in the table. */
  public boolean keepsDelivered() {
    return lifecycle.onDelivery() == OnDelivery.KEEP;
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
