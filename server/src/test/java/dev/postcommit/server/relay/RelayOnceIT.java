package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Message;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The relays of a process that are told to deliver two logs exactly once. */
@SuppressWarnings("try") // relays work without being spoken to
class RelayOnceIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final KafkaServer kafka = KafkaServer.shared();
  private final OutboxFixture orders = new OutboxFixture(Layout.log());
  private final OutboxFixture billing = new OutboxFixture(Layout.log());
  private final String topic = "once-" + orders.database().name();
  private final String ordersId = "orders-" + orders.database().name();
  private final String billingId = "billing-" + billing.database().name();
  private final Ledger ledger = Ledger.create();
  private int position;

  @BeforeEach
  void create() {
    kafka.createTopic(topic, 2);
    orders.migrate();
    billing.migrate();
  }

  @AfterEach
  void close() {
    orders.close();
    billing.close();
  }

  private Relays started() {
    Map<String, String> environment =
        Map.of(
            "POSTCOMMIT_RELAYS",
            "orders,billing",
            "POSTCOMMIT_LAYOUT",
            "log",
            "POSTCOMMIT_DATABASE_USER",
            orders.database().username(),
            "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS",
            kafka.bootstrapServers(),
            "POSTCOMMIT_RELAY_ORDERS_DATABASE_URL",
            orders.database().jdbcUrl(),
            "POSTCOMMIT_RELAY_ORDERS_KAFKA_TRANSACTIONAL_ID",
            ordersId,
            "POSTCOMMIT_RELAY_BILLING_DATABASE_URL",
            billing.database().jdbcUrl(),
            "POSTCOMMIT_RELAY_BILLING_KAFKA_TRANSACTIONAL_ID",
            billingId);
    Settings settings = Settings.read(Map.of(), null, environment, Path.of("no such directory"));
    Relays relays = new Relays(RelayPlan.of(settings, Map.of()), plan -> List.of());
    relays.start();
    return relays;
  }

  private void write(OutboxFixture fixture, int count) throws SQLException {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String key = fixture.database().name() + "-" + i % 5;
      Event event = Event.builder("tick").topic(topic).key(key).json("{}").build();
      ledger.committed(event.id().toString(), key, ++position);
      events.add(event);
    }
    fixture.enqueueAll(events);
  }

  private void awaitDelivered() {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                orders.admin().status().pending() == 0 && billing.admin().status().pending() == 0);
  }

  @Test
  @DisplayName("by a setting, consumers of what is committed get each event of a log once")
  void eachEventArrivesOnceThoughTheTablesCursorIsBehind() throws SQLException {
    write(orders, 50);
    write(billing, 50);
    try (Relays relays = started()) {
      awaitDelivered();
      orders.execute("CREATE TABLE kept AS SELECT * FROM postcommit_log_cursor");
      write(orders, 20);
      awaitDelivered();
    }
    // As a relay leaves it that is killed before it has written the table's own cursor.
    orders.execute(
        "UPDATE postcommit_log_cursor c SET floor = k.floor, seen = k.seen, upto = k.upto,"
            + " position = k.position FROM kept k");
    try (Relays relays = started()) {
      write(orders, 10);
      write(billing, 10);
      awaitDelivered();
    }

    KafkaDeliveries deliveries = KafkaDeliveries.committed(kafka.bootstrapServers(), topic, ledger);
    deliveries.finish();
    deliveries.call();
    LedgerReport report = ledger.report();
    assertThat(report.clean()).as("%s", report).isTrue();
    assertThat(report.delivered()).as("%s", report).isEqualTo(140);
    assertThat(report.duplicates()).as("%s", report).isZero();
    assertThat(KafkaReader.read(kafka.bootstrapServers(), "postcommit-checkpoints", 2))
        .extracting(Message::key)
        .contains(ordersId, billingId);
  }
}
