package dev.postcommit.flyway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.TableShape;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tables that migrations create, as the catalogue shows them. */
class SchemaIT {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();

  @AfterEach
  void close() {
    database.close();
  }

  private TableShape migrated(Layout layout) throws SQLException {
    OutboxMigration.migrate(dataSource, layout);
    return TableShape.of(dataSource, layout.table().sql());
  }

  private List<String> labels(String type) throws SQLException {
    return TableShape.list(
        dataSource,
        "SELECT enumlabel FROM pg_enum WHERE enumtypid = CAST('%s' AS regtype) ORDER BY enumsortorder"
            .formatted(type));
  }

  @Test
  @DisplayName("R10: the PackFinderz table is as locked: nothing more, nothing less")
  void thePackFinderzTableIsAsLocked() throws SQLException {
    TableShape table = migrated(Layout.preset("packfinderz"));

    assertThat(table.columns())
        .containsExactly(
            "id uuid not null",
            "event_type event_type_enum not null",
            "aggregate_type aggregate_type_enum not null",
            "aggregate_id uuid not null",
            "payload_json jsonb not null",
            "created_at timestamp with time zone not null default now()",
            "published_at timestamp with time zone",
            "attempt_count integer not null default 0",
            "last_error text");
    assertThat(table.indexes())
        .containsExactly(
            "outbox_events_aggregate btree (aggregate_type, aggregate_id)",
            "outbox_events_event_type btree (event_type)",
            "outbox_events_pkey UNIQUE btree (id)",
            "outbox_events_published_at btree (published_at)");
    assertThat(table.constraints()).containsExactly("outbox_events_pkey PRIMARY KEY (id)");
    assertThat(table.triggers()).isEmpty();
    assertThat(labels("event_type_enum"))
        .containsExactly(
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
    assertThat(labels("aggregate_type_enum"))
        .containsExactly(
            "vendor_order",
            "checkout_group",
            "license",
            "store",
            "media",
            "ledger_event",
            "notification",
            "ad");
  }

  @Test
  @DisplayName("R10: in a schema of its own the PackFinderz table brings its enum types along")
  void thePackFinderzTableBringsItsEnumTypesAlong() throws SQLException {
    migrated(Layout.preset("packfinderz", TableName.of("Market.outbox_events")));

    assertThat(labels("\"Market\".event_type_enum")).hasSize(18);
    assertThat(labels("\"Market\".aggregate_type_enum")).hasSize(8);
  }

  @Test
  @DisplayName("R11: the Logistik table has the planned columns and indexes, by their names")
  void theLogistikTableIsAsPlanned() throws SQLException {
    TableShape table = migrated(Layout.preset("logistik"));

    assertThat(table.columns())
        .containsExactly(
            "id uuid not null",
            "aggregate_type character varying(50) not null",
            "aggregate_id uuid not null",
            "event_type character varying(100) not null",
            "payload jsonb not null",
            "occurred_at timestamp with time zone default now()",
            "status character varying(20) default 'PENDING'::character varying",
            "retry_count integer default 0",
            "next_attempt_at timestamp with time zone default now()",
            "last_error text",
            "processed_at timestamp with time zone");
    assertThat(table.indexes())
        .containsExactly(
            "idx_outbox_aggregate btree (aggregate_type, aggregate_id)",
            "idx_outbox_poll btree (status, next_attempt_at)",
            "outbox_events_pending_key btree (aggregate_id, occurred_at, id) WHERE \nCASE\n"
                + "    WHEN ((status)::text = 'PENDING'::text) THEN true\n    ELSE false\nEND",
            "outbox_events_recent btree (occurred_at, id)"
                + " WHERE ((status)::text = 'PENDING'::text)",
            "pk_outbox_id UNIQUE btree (id)");
    assertThat(table.constraints()).containsExactly("pk_outbox_id PRIMARY KEY (id)");
    assertThat(table.triggers()).isEmpty();
  }

  @Test
  @DisplayName(
      "R12: the modkit table has the required columns and indexes, four indexes more, no trigger")
  void theModkitTableIsAsRequired() throws SQLException {
    TableShape table = migrated(Layout.preset("modkit"));
    String tried =
        " \nCASE\n    WHEN ((status = 'pending'::text) AND ((attempts > 0) OR"
            + " (last_error IS NOT NULL))) THEN true\n    ELSE false\nEND";

    assertThat(table.columns())
        .containsExactly(
            "id uuid not null",
            "namespace text not null",
            "topic text not null",
            "tenant_id uuid",
            "dedupe_key text",
            "payload jsonb not null",
            "status text not null",
            "attempts integer not null default 0",
            "next_attempt_at timestamp with time zone not null default now()",
            "locked_by uuid",
            "locked_until timestamp with time zone",
            "last_error text",
            "created_at timestamp with time zone not null default now()",
            "updated_at timestamp with time zone not null default now()");
    assertThat(table.indexes())
        .containsExactly(
            "modkit_outbox_events_again btree (next_attempt_at) WHERE" + tried,
            "modkit_outbox_events_dedupe UNIQUE btree (namespace, topic, dedupe_key)"
                + " WHERE (dedupe_key IS NOT NULL)",
            "modkit_outbox_events_deferred btree (created_at, id)"
                + " WHERE ((status = 'pending'::text) AND ((attempts > 0) OR (last_error IS NOT NULL)))",
            "modkit_outbox_events_fresh btree (created_at, id) WHERE \nCASE\n"
                + "    WHEN ((status = 'pending'::text) AND (attempts = 0) AND (last_error IS NULL))"
                + " THEN true\n    ELSE false\nEND",
            "modkit_outbox_events_locked_until btree (locked_until)",
            "modkit_outbox_events_pkey UNIQUE btree (id)",
            "modkit_outbox_events_processing btree (created_at) WHERE (status = 'processing'::text)",
            "modkit_outbox_events_status_next_attempt_at btree (status, next_attempt_at)",
            "modkit_outbox_events_tried btree (tenant_id, created_at, id) WHERE" + tried);
    assertThat(table.constraints())
        .containsExactly(
            "modkit_outbox_events_pkey PRIMARY KEY (id)",
            "modkit_outbox_events_status CHECK ((status = ANY (ARRAY['pending'::text,"
                + " 'processing'::text, 'delivered'::text, 'dead'::text])))");
    assertThat(table.triggers()).isEmpty();
  }

  @Test
  @DisplayName("R13: the PolyShop table has the named columns; aggregate ids are text or uuid")
  void thePolyShopTableIsAsNamed() throws SQLException {
    TableShape table = migrated(Layout.preset("polyshop"));

    assertThat(table.columns())
        .containsExactly(
            "id uuid not null",
            "aggregate_id text not null",
            "event_type text not null",
            "version integer not null default 1",
            "payload jsonb not null",
            "created_at timestamp with time zone not null default now()",
            "processed boolean not null default false",
            "processed_at timestamp with time zone",
            "error_message text");
    assertThat(table.indexes())
        .containsExactly(
            "outbox_events_pending_key btree (aggregate_id, created_at, id) WHERE \nCASE\n"
                + "    WHEN (processed IS NOT TRUE) THEN true\n    ELSE false\nEND",
            "outbox_events_pkey UNIQUE btree (id)",
            "outbox_events_unprocessed btree (created_at, id) WHERE (processed IS NOT TRUE)");
    assertThat(table.constraints()).containsExactly("outbox_events_pkey PRIMARY KEY (id)");

    Column uuid = new Column("aggregate_id", "uuid");
    Layout byUuid =
        Layout.preset("polyshop", TableName.of("payment.outbox_events"))
            .withColumn(Role.AGGREGATE_ID, uuid)
            .withColumn(Role.KEY, uuid);
    assertThat(migrated(byUuid).columns()).contains("aggregate_id uuid not null");
  }
}
