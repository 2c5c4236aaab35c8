package dev.postcommit.writers.polyshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.relay.Message;
import dev.postcommit.writers.Commands;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** PolyShop's services in Node.js and Python, run as processes against servers of their own. */
abstract class PolyShopServices {
  static final String PAYMENT = "payment-service";
  static final String NOTIFICATION = "notification-service";
  static final ObjectMapper JSON = new ObjectMapper();

  static Shop shop;

  @BeforeAll
  static void open() {
    shop = new Shop();
    shop.migrate(PAYMENT);
    shop.migrate(NOTIFICATION);
    startPayment();
    startNotification();
  }

  @AfterEach
  void checkPublished() throws Exception {
    shop.checkPublished();
  }

  @AfterAll
  static void close() {
    shop.close();
  }

  static void startPayment() {
    shop.start(PAYMENT, Commands.NODE, "services/payment-service/main.js");
  }

  static void startNotification() {
    shop.start(NOTIFICATION, Commands.PYTHON, "services/notification-service/main.py");
  }

  /** The event, if its envelope and its headers are what the services in Java expect. */
  static ReceivedEvent<byte[]> checkEnvelope(Message message, String source, UUID trace) {
    ReceivedEvent<byte[]> event = Shop.read(message);
    assertThat(event.type()).isEqualTo(message.topic());
    assertThat(event.version()).isEqualTo(1);
    assertThat(event.source()).isEqualTo(source);
    assertThat(event.occurredAt()).isBefore(Instant.now());
    assertThat(event.metadata())
        .containsEntry("traceId", trace.toString())
        .containsEntry("correlationId", "c-" + trace);
    assertThat(message.headers())
        .containsEntry("event_id", event.id())
        .containsEntry("event_type", event.type())
        .containsEntry("aggregate_id", message.key());
    try {
      assertThat(JSON.readTree(message.body()).properties().stream().map(Map.Entry::getKey))
          .containsExactly(
              "eventId", "timestamp", "eventType", "version", "source", "data", "metadata");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return event;
  }

  static List<String> payments(Order order) throws SQLException {
    return shop.rows(
        PAYMENT,
        "SELECT concat_ws(' ', status, coalesce(provider, '-'), amount, currency) FROM payments"
            + " WHERE order_id = '%s'".formatted(order.id()));
  }

  static String mails(Order order, String column) {
    return "SELECT %s FROM email_logs WHERE metadata ->> 'orderId' = '%s'"
        .formatted(column, order.id());
  }

  /** Waits until the log says of so many events of each order that they were dealt with. */
  static void awaitHandled(String service, String message, int events, Order... orders) {
    for (Order order : orders) {
      await()
          .atMost(Shop.PATIENCE)
          .until(
              () ->
                  shop.service(service)
                          .output()
                          .lines()
                          .filter(line -> line.contains("\"" + message + "\""))
                          .filter(line -> line.contains(order.trace().toString()))
                          .count()
                      >= events);
    }
  }
}
