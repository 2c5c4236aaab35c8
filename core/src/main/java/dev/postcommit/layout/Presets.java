package dev.postcommit.layout;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.PublishedAt;
import dev.postcommit.layout.Lifecycle.Status;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The layouts that Postcommit creates itself. */
final class Presets {
  static final Set<String> NAMES =
      Set.of("native", "log", "modkit", "logistik", "packfinderz", "polyshop");

  private static final List<String> PACKFINDERZ_EVENT_TYPES =
      List.of(
          "order_created",
          "order_state_changed",
          "line_item_state_changed",
          "license_status_changed",
          "media_uploaded",
          "payment_settled",
          "cash_collected",
          "vendor_payout_recorded",
          "notification_requested",
          "order_expired",
          "order_canceled",
          "reservation_released",
          "ad_created",
          "ad_updated",
          "ad_paused",
          "ad_activated",
          "ad_expired",
          "ad_daily_rollup_ready");

  private static final List<String> PACKFINDERZ_AGGREGATE_TYPES =
      List.of(
          "vendor_order",
          "checkout_group",
          "license",
          "store",
          "media",
          "ledger_event",
          "notification",
          "ad");

  private Presets() {}

  static Layout nativeTable(TableName table) {
    Map<Role, Column> columns = content();
    columns.put(Role.DUE_AT, new Column("due_at", "timestamptz"));
    columns.put(Role.STATUS, new Column("status", "text"));
    columns.put(Role.ATTEMPTS, new Column("attempts", "int"));
    columns.put(Role.LAST_ERROR, new Column("last_error", "text"));
    columns.put(Role.DELIVERED_AT, new Column("delivered_at", "timestamptz"));
    return new Layout(
        "native",
        table,
        columns,
        new Claimed(table.withSuffix("_claim"), OnDelivery.KEEP),
        RetryPolicy.DEFAULT);
  }

  static Layout log(TableName table) {
    return new Layout(
        "log", table, content(), new Log(table.withSuffix("_cursor")), RetryPolicy.DEFAULT);
  }

  /** The columns of our own tables but for those of a lifecycle. */
  private static Map<Role, Column> content() {
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
    return columns;
  }

  static Layout modkit(TableName table) {
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
    return new Layout("modkit", table, columns, new Leased(OnDelivery.KEEP), RetryPolicy.DEFAULT);
  }

  static Layout logistik(TableName table) {
    Map<Role, Column> columns = new EnumMap<>(Role.class);
    columns.put(Role.ID, new Column("id", "uuid"));
    columns.put(Role.AGGREGATE_TYPE, new Column("aggregate_type", "varchar"));
    columns.put(Role.AGGREGATE_ID, new Column("aggregate_id", "uuid"));
    columns.put(Role.KEY, new Column("aggregate_id", "uuid"));
    columns.put(Role.TYPE, new Column("event_type", "varchar"));
    columns.put(Role.PAYLOAD, new Column("payload", "jsonb"));
    columns.put(Role.CREATED_AT, new Column("occurred_at", "timestamptz"));
    columns.put(Role.STATUS, new Column("status", "varchar"));
    columns.put(Role.ATTEMPTS, new Column("retry_count", "int"));
    columns.put(Role.DUE_AT, new Column("next_attempt_at", "timestamptz"));
    columns.put(Role.LAST_ERROR, new Column("last_error", "text"));
    columns.put(Role.DELIVERED_AT, new Column("processed_at", "timestamptz"));
    return new Layout(
        "logistik",
        table,
        columns,
        new Status("PENDING", "PUBLISHED", "FAILED", OnDelivery.KEEP),
        new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofMinutes(5), 0));
  }

  static Layout packFinderz(TableName table) {
    String schema = table.schema() == null ? "" : TableName.quoted(table.schema()) + ".";
    Map<Role, Column> columns = new EnumMap<>(Role.class);
    columns.put(Role.ID, new Column("id", "uuid"));
    columns.put(
        Role.TYPE, new Column("event_type", schema + "event_type_enum", PACKFINDERZ_EVENT_TYPES));
    columns.put(
        Role.AGGREGATE_TYPE,
        new Column("aggregate_type", schema + "aggregate_type_enum", PACKFINDERZ_AGGREGATE_TYPES));
    columns.put(Role.AGGREGATE_ID, new Column("aggregate_id", "uuid"));
    columns.put(Role.KEY, new Column("aggregate_id", "uuid"));
    columns.put(Role.PAYLOAD, new Column("payload_json", "jsonb"));
    columns.put(Role.CREATED_AT, new Column("created_at", "timestamptz"));
    columns.put(Role.DELIVERED_AT, new Column("published_at", "timestamptz"));
    columns.put(Role.ATTEMPTS, new Column("attempt_count", "int"));
    columns.put(Role.LAST_ERROR, new Column("last_error", "text"));
    return new Layout(
        "packfinderz",
        table,
        columns,
        new PublishedAt(OnDelivery.KEEP),
        new RetryPolicy(25, Duration.ofMillis(500), Duration.ofSeconds(10)));
  }

  static Layout polyShop(TableName table) {
    Map<Role, Column> columns = new EnumMap<>(Role.class);
    columns.put(Role.ID, new Column("id", "uuid"));
    columns.put(Role.AGGREGATE_ID, new Column("aggregate_id", "text"));
    columns.put(Role.KEY, new Column("aggregate_id", "text"));
    columns.put(Role.TYPE, new Column("event_type", "text"));
    columns.put(Role.VERSION, new Column("version", "int"));
    columns.put(Role.PAYLOAD, new Column("payload", "jsonb"));
    columns.put(Role.CREATED_AT, new Column("created_at", "timestamptz"));
    columns.put(Role.PROCESSED, new Column("processed", "boolean"));
    columns.put(Role.DELIVERED_AT, new Column("processed_at", "timestamptz"));
    columns.put(Role.LAST_ERROR, new Column("error_message", "text"));
    return new Layout(
        "polyshop",
        table,
        columns,
        new ProcessedFlag(false, OnDelivery.KEEP),
        RetryPolicy.DEFAULT.withMaxAttempts(RetryPolicy.UNLIMITED));
  }
}
