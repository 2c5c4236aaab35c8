package dev.postcommit.examples.packfinderz;

import java.util.List;

/** The table as PF-060 locks it, and how the catalogue is asked for it. */
final class LockedTable {

  /** {@code event_type_enum}. */
  static final List<String> EVENT_TYPES =
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

  /** {@code aggregate_type_enum}. */
  static final List<String> AGGREGATE_TYPES =
      List.of(
          "vendor_order",
          "checkout_group",
          "license",
          "store",
          "media",
          "ledger_event",
          "notification",
          "ad");

  /** Name, type, nullability and default of each column, in order. */
  static final String COLUMNS =
      """
      SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod),
        CASE WHEN attnotnull THEN 'not null' END, 'default ' || pg_get_expr(adbin, adrelid))
      FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE attrelid = CAST('outbox_events' AS regclass) AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum""";

  /** Name and type of each column. */
  static final String TYPES =
      """
      SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = CAST('outbox_events' AS regclass) AND attnum > 0 AND NOT attisdropped""";

  /** What each index covers. */
  static final String INDEXES =
      """
      SELECT concat_ws(' ', CASE WHEN indisprimary THEN 'primary' END,
        CASE WHEN indisunique THEN 'unique' END,
        regexp_replace(pg_get_indexdef(indexrelid), '.* USING ', ''))
      FROM pg_index WHERE indrelid = CAST('outbox_events' AS regclass)""";

  /** Triggers, and constraints but for the primary key and NOT NULL. */
  static final String EXTRAS =
      """
      SELECT tgname FROM pg_trigger WHERE tgrelid = CAST('outbox_events' AS regclass)
      UNION ALL
      SELECT conname FROM pg_constraint
      WHERE conrelid = CAST('outbox_events' AS regclass) AND contype NOT IN ('p', 'n')""";

  private LockedTable() {}
}
