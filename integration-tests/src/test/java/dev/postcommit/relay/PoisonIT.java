package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.envelope.Envelope;
import dev.postcommit.fixture.AdoptedSample;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Role;
import dev.postcommit.registry.EventRegistry;
import dev.postcommit.registry.PayloadForm;
import dev.postcommit.registry.RegisteredEvent;
import dev.postcommit.relay.PoisonTable.Row;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rows that break their contract, among rows that keep it, in every layout. */
class PoisonIT {
  private static final String SECRET = "secret-4711";
  private static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"total\":{\"type\":\"integer\"}}}";
  private static final String CONTENT = "{\"total\": 1, \"note\": \"" + SECRET + "\"}";

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();
  private final ScriptedPublisher publisher = new ScriptedPublisher();
  private final Observer observer = new Observer();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  @DisplayName("R45, R22: poison rows die, each for its reason, and the others go on in order")
  void poisonInTheNativeLayout() throws SQLException {
    check(migrated(Layout.nativeTable()), row("order.placed"), "order.lost", Envelope.raw());
  }

  @Test
  void poisonInTheModkitLayout() throws SQLException {
    check(migrated(Layout.preset("modkit")), row("order.placed"), "order.lost", Envelope.raw());
  }

  @Test
  void poisonInTheLogistikLayout() throws SQLException {
    Envelope envelope = Envelope.messageId();
    check(migrated(Layout.preset("logistik")), row("order.placed"), "order.lost", envelope);
  }

  @Test
  void poisonInThePackFinderzLayout() throws SQLException {
    Row good = row("order_created").withPayload(stored(CONTENT));
    check(migrated(Layout.preset("packfinderz")), good, "ad_created", Envelope.stored());
  }

  @Test
  @DisplayName("R45, R26: poison dies, and dead rows stay unprocessed")
  void poisonInThePolyShopLayout() throws SQLException {
    Envelope envelope = Envelope.built("order-service");
    check(
        migrated(Layout.preset("polyshop")),
        row("order.order.placed.v1"),
        "order.lost.v1",
        envelope);
  }

  @Test
  @DisplayName("R45, R26: poison dies, and dead rows are marked processed")
  void poisonInThePolyShopLayoutThatMarksDeadRows() throws SQLException {
    Layout layout =
        Layout.preset("polyshop").withLifecycle(new ProcessedFlag(true, OnDelivery.KEEP));
    Envelope envelope = Envelope.built("order-service");
    check(migrated(layout), row("order.order.placed.v1"), "order.lost.v1", envelope);
  }

  @Test
  void poisonInAnAdoptedTable() throws SQLException {
    AdoptedSample.create(dataSource);
    execute("ALTER TABLE legacy.domain_events ALTER body DROP NOT NULL");
    check(AdoptedSample.LAYOUT, row("order.placed"), "order.lost", Envelope.raw());
  }

  private Layout migrated(Layout layout) {
    OutboxMigration.migrate(dataSource, layout);
    return layout;
  }

  private static Row row(String type) {
    return new Row(type, "vendor_order", new UUID(0, 1).toString(), CONTENT);
  }

  private static String stored(String data) {
    return "{\"version\": 1, \"eventId\": \"$ID\", \"occurredAt\": \"2026-03-04T05:06:07Z\","
        + " \"data\": "
        + data
        + "}";
  }

  /** Rows with the reason that is expected for each. */
  private static Map<Row, String> poison(PoisonTable table, Layout layout, Row good, String lost) {
    Map<Row, String> poison = new LinkedHashMap<>();
    poison.put(good.withType(lost), "event type " + lost + " is not in the registry");
    if (table.has(Role.AGGREGATE_TYPE)) {
      poison.put(
          good.withAggregateType("license"),
          "the aggregate type of " + good.type() + " must be vendor_order, not license");
    }
    String broken = "{\"total\": \"" + SECRET + "\"}";
    String brokenReason = "the payload breaks its schema at /properties/total/type";
    if (isStored(good)) {
      poison.put(good.withPayload(stored(broken)), brokenReason);
      poison.put(good.withPayload(stored("null")), "data is not there");
      poison.put(good.withPayload("null"), "it is no JSON object");
      poison.put(
          good.withPayload(stored(CONTENT).replace("$ID", SECRET)),
          "eventId is not the id of its row");
    } else {
      poison.put(good.withPayload(broken), brokenReason);
      poison.put(good.withPayload("null"), "the payload is null");
    }
    String payloadType = layout.required(Role.PAYLOAD).type();
    if (payloadType.equals("bytea") || payloadType.equals("text")) {
      poison.put(
          good.withPayload("{\"note\": \"" + SECRET + "\""),
          "the payload is not one JSON value (line 1, column");
      poison.put(good.withPayload(""), "the payload is empty");
    }
    if (!layout.isPreset()) {
      poison.put(good.withPayload(null), "the payload is null");
    }
    return poison;
  }

  private static boolean isStored(Row row) {
    return row.payload().contains("eventId");
  }

  private void check(Layout layout, Row good, String lost, Envelope envelope) throws SQLException {
    PoisonTable table = new PoisonTable(dataSource, layout);
    OutboxAdmin admin = OutboxAdmin.of(dataSource, layout);
    Written written = Written.of(table, good, poison(table, layout, good, lost));
    EventRegistry registry =
        EventRegistry.builder()
            .payloads(isStored(good) ? PayloadForm.STORED_ENVELOPE : PayloadForm.PLAIN)
            .event(contract(table, good.type()))
            .build();

    try (Relay relay =
        Relay.builder(dataSource, publisher)
            .layout(layout)
            .check(registry)
            .envelope(envelope)
            .listener(observer)
            .pollInterval(Duration.ofMillis(10))
            .batchSize(4)
            .build()) {
      relay.start();
      await().until(() -> admin.status().pending() == 0);
      String last = table.insert(good);
      written.good().get(good.key()).add(last);
      await().until(() -> admin.status().pending() == 0);

      assertThat(delivered()).isEqualTo(written.good());
      assertDead(admin, written.poison());
      assertMarks(layout, written.poison());

      for (String id : written.poison().keySet()) {
        table.correct(id, good);
      }
      Decision decision = new Decision("grace", "corrected");
      assertThat(admin.replay(DeadFilter.all(), decision)).isEqualTo(written.poison().size());
      await().until(() -> admin.status().pending() == 0);
    }

    assertThat(admin.status().dead()).isZero();
    assertThat(publisher.accepted()).doesNotHaveDuplicates().containsAll(written.poison().keySet());
    assertThat(observer.violations()).hasSameSizeAs(written.poison().keySet());
    assertThat(observer.retries()).isZero();
  }

  private static RegisteredEvent contract(PoisonTable table, String type) {
    RegisteredEvent.Builder contract = RegisteredEvent.builder(type).topic("orders").schema(SCHEMA);
    return table.has(Role.AGGREGATE_TYPE)
        ? contract.aggregateType("vendor_order").build()
        : contract.build();
  }

  private Map<String, List<String>> delivered() {
    return Written.byKey(publisher.messages());
  }

  /** Every poison row is dead for its reason, once, and nothing of its payload is told. */
  private void assertDead(OutboxAdmin admin, Map<String, String> reasons) {
    Map<String, String> errors = new LinkedHashMap<>();
    for (DeadSummary dead : admin.dead(DeadFilter.all(), 1000)) {
      errors.put(dead.id(), dead.error());
    }
    assertThat(errors).containsOnlyKeys(reasons.keySet());
    reasons.forEach(
        (id, reason) ->
            assertThat(errors.get(id)).contains(reason).doesNotContain(SECRET, "\"", "no message"));
    assertThat(observer.violations()).containsExactlyInAnyOrderElementsOf(reasons.keySet());
    assertThat(observer.dead()).containsExactlyInAnyOrderElementsOf(reasons.keySet());
  }

  private void assertMarks(Layout layout, Map<String, String> poison) throws SQLException {
    if (layout.lifecycle() instanceof ProcessedFlag flag) {
      String ids = "'" + String.join("','", poison.keySet()) + "'";
      execute(
          "DO $$ BEGIN ASSERT (SELECT bool_and(processed = %s AND error_message IS NOT NULL) FROM outbox_events WHERE id IN (%s)); END $$"
              .formatted(flag.marksDead(), ids));
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
