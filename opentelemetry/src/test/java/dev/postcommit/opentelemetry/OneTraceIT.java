package dev.postcommit.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.kafka.consumer.KafkaEventConsumer;
import dev.postcommit.layout.Layout;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.pubsub.consumer.PubSubEventConsumer;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.pubsub.PubSubServer;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * R51: from the transaction that writes an event to the handler of it, which writes another one, to
 * the handler of that.
 */
class OneTraceIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String CORRELATION = "c-42";

  private final Telemetry telemetry = new Telemetry();

  @AfterEach
  void close() {
    telemetry.close();
  }

  private Shop shop(Layout layout) {
    return new Shop(layout, telemetry, "kafka");
  }

  /** Places an order, and runs relay and consumer until so many spans have ended. */
  private void throughKafka(Shop shop, int failedSendings, int spans) throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    kafka.createTopic(shop.orders, 1);
    kafka.createTopic(shop.stock, 1);
    shop.placeOrder(CORRELATION);
    try (Publisher publisher =
            KafkaPublisher.builder().bootstrapServers(kafka.bootstrapServers()).build();
        Relay relay = shop.relay(new FlakyPublisher(publisher, failedSendings));
        KafkaEventConsumer consumer =
            KafkaEventConsumer.builder(shop.consumer())
                .bootstrapServers(kafka.bootstrapServers())
                .topics(shop.orders, shop.stock)
                .build()) {
      relay.start();
      consumer.start();
      awaitSpans(spans);
    }
  }

  private void awaitSpans(int count) {
    await().atMost(PATIENCE).until(() -> telemetry.ended().size() >= count);
  }

  private static Message record(String topic) {
    List<Message> messages = KafkaReader.read(KafkaServer.shared().bootstrapServers(), topic, 1);
    assertThat(messages).hasSize(1);
    return messages.get(0);
  }

  /** The span of a name, of which there is one. */
  private SpanData span(String name) {
    List<SpanData> found =
        telemetry.ended().stream().filter(span -> span.getName().equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.get(0);
  }

  private String traceparent(String name) {
    return Telemetry.traceparent(span(name).getSpanContext());
  }

  private void assertOneTrace(Shop shop) {
    String send = "place order > send " + shop.orders;
    String process = send + " > process " + shop.orders;
    String sendNext = process + " > send " + shop.stock;
    assertThat(telemetry.paths())
        .containsExactly(
            "place order", send, process, sendNext, sendNext + " > process " + shop.stock);
    assertThat(telemetry.ended()).extracting(SpanData::getTraceId).containsOnly(traceId());
    assertThat(telemetry.ended())
        .filteredOn(span -> !span.getName().equals("place order"))
        .extracting(span -> Telemetry.attribute(span, "postcommit.correlation_id"))
        .containsOnly(CORRELATION);
    assertThat(shop.handled)
        .extracting(ReceivedEvent::correlationId)
        .containsExactly(CORRELATION, CORRELATION);
    assertThat(shop.logged)
        .extracting(context -> context.get("traceId") + " " + context.get("correlationId"))
        .containsExactly(traceId() + " " + CORRELATION, traceId() + " " + CORRELATION);
  }

  private String traceId() {
    return span("place order").getTraceId();
  }

  private void assertRecords(Shop shop) {
    for (String topic : List.of(shop.orders, shop.stock)) {
      assertThat(record(topic).headers())
          .containsEntry("traceparent", traceparent("send " + topic))
          .containsEntry("correlationId", CORRELATION);
    }
  }

  @Test
  @DisplayName("R51: native table, Kafka: one trace and one correlationId from end to end")
  void anEventAndWhatFollowsFromItAreOneTrace() throws Exception {
    try (Shop shop = shop(Layout.nativeTable())) {
      throughKafka(shop, 0, 5);
      assertOneTrace(shop);
      assertRecords(shop);
      assertStored(shop, "SELECT %s FROM postcommit_outbox WHERE type = '%s'");
    }
  }

  @Test
  @DisplayName("R51: PolyShop's table, whose headers are in a table beside it")
  void headersBesideTheTableServeAsWell() throws Exception {
    try (Shop shop = shop(Layout.preset("polyshop"))) {
      throughKafka(shop, 0, 5);
      assertOneTrace(shop);
      assertRecords(shop);
      assertStored(
          shop,
          "SELECT %s FROM outbox_events_header JOIN outbox_events USING (id) WHERE event_type = '%s'");
    }
  }

  /** A row has the span in which it was written, not the one in which it was sent. */
  private void assertStored(Shop shop, String query) throws Exception {
    for (Map.Entry<String, String> written :
        Map.of(shop.orders, "place order", shop.stock, "process " + shop.orders).entrySet()) {
      assertThat(shop.query(query.formatted("headers ->> 'traceparent'", written.getKey())))
          .isEqualTo(traceparent(written.getValue()));
      assertThat(shop.query(query.formatted("headers ->> 'correlationId'", written.getKey())))
          .isEqualTo(CORRELATION);
    }
  }

  @Test
  @DisplayName("R51: modkit's table has no place for headers: a trace begins at each sending")
  void withoutAPlaceForHeadersATraceBeginsAtEachSending() throws Exception {
    try (Shop shop = shop(Layout.preset("modkit"))) {
      throughKafka(shop, 0, 5);
      assertThat(telemetry.paths())
          .containsExactly(
              "place order",
              "send " + shop.orders,
              "send " + shop.orders + " > process " + shop.orders,
              "send " + shop.stock,
              "send " + shop.stock + " > process " + shop.stock);
      assertThat(record(shop.orders).headers())
          .containsEntry("traceparent", traceparent("send " + shop.orders))
          .doesNotContainKey("correlationId");
    }
  }

  @Test
  @DisplayName("R51: attempts that fail are spans of the same trace, with an error")
  void failedAttemptsArePartOfTheTrace() throws Exception {
    try (Shop shop = shop(Layout.nativeTable())) {
      shop.failures.set(2);
      throughKafka(shop, 2, 9);
      String send = "place order > send " + shop.orders;
      String process = send + " > process " + shop.orders;
      String sendNext = process + " > send " + shop.stock;
      assertThat(telemetry.paths())
          .containsExactlyInAnyOrder(
              "place order",
              send + "!",
              send + "!",
              send,
              process + "!",
              process + "!",
              process,
              sendNext,
              sendNext + " > process " + shop.stock);
      assertThat(telemetry.ended()).extracting(SpanData::getTraceId).containsOnly(traceId());
      assertThat(telemetry.ended())
          .extracting(span -> span.getStatus().getDescription())
          .filteredOn(text -> !text.isEmpty())
          .containsExactly(
              "not now",
              "not now",
              "IllegalStateException: no stock",
              "IllegalStateException: no stock");
    }
  }

  @Test
  @DisplayName("R51: Pub/Sub: one trace and one correlationId from end to end")
  void pubSubCarriesATraceAsWell() throws Exception {
    try (PubSubServer server = PubSubServer.startHere();
        Shop shop = new Shop(Layout.nativeTable(), telemetry, "gcp_pubsub")) {
      PubSubConnection connection =
          PubSubConnection.of(server.project()).emulator(server.emulatorHost());
      for (String topic : List.of(shop.orders, shop.stock)) {
        server.createTopic(topic);
        server.createSubscription(topic, topic);
      }
      EventConsumer events = shop.consumer();
      shop.placeOrder(CORRELATION);
      try (Publisher publisher =
              PubSubPublisher.builder(connection).topics(shop.orders, shop.stock).build();
          Relay relay = shop.relay(publisher);
          PubSubEventConsumer ofOrders =
              PubSubEventConsumer.builder(events, connection).subscription(shop.orders).build();
          PubSubEventConsumer ofStock =
              PubSubEventConsumer.builder(events, connection).subscription(shop.stock).build()) {
        relay.start();
        ofOrders.start();
        ofStock.start();
        awaitSpans(5);
      }
      assertOneTrace(shop);
    }
  }
}
