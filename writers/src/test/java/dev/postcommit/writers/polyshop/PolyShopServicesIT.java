package dev.postcommit.writers.polyshop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postcommit.inbox.DeadLetterContent;
import dev.postcommit.inbox.ReceivedEvent;
import dev.postcommit.inbox.ReceivedMessage;
import dev.postcommit.relay.Message;
import dev.postcommit.writers.Commands;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R56: PolyShop's services in Node.js and Python, run as processes against real servers. */
class PolyShopServicesIT {
  private static final String PAYMENT = "payment-service";
  private static final String NOTIFICATION = "notification-service";

  private static final ObjectMapper JSON = new ObjectMapper();

  private static Shop shop;

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

  private static void startPayment() {
    shop.start(PAYMENT, Commands.NODE, "services/payment-service/main.js");
  }

  private static void startNotification() {
    shop.start(NOTIFICATION, Commands.PYTHON, "services/notification-service/main.py");
  }

  @Test
  @DisplayName("R26, R32, R51, R56: a payment succeeds once all is reserved, in any sequence, once")
  void aPaymentSucceedsOnceAllIsReserved() throws Exception {
    Order placedFirst = Order.create();
    Order reservedFirst = Order.create();
    placedFirst.publishPlaced(shop);
    placedFirst.publishReserved(shop);
    reservedFirst.publishReserved(shop);
    reservedFirst.publishPlaced(shop);
    for (Order order : List.of(placedFirst, reservedFirst)) {
      shop.messages(Shop.PAYMENT_SUCCEEDED, order.key(), 1);
      order.publishPlaced(shop);
      order.publishReserved(shop);
    }
    awaitHandled(PAYMENT, "duplicate", 3, placedFirst, reservedFirst);

    for (Order order : List.of(placedFirst, reservedFirst)) {
      assertThat(payments(order)).containsExactly("SUCCESS polypay 12345678901234567.10 EUR");
      List<Message> messages = shop.messages(Shop.PAYMENT_SUCCEEDED, order.key(), 1);
      assertThat(messages).hasSize(1);
      ReceivedEvent<byte[]> event = checkEnvelope(messages.get(0), PAYMENT, order.trace());
      JsonNode data = JSON.readTree(event.data());
      assertThat(data.properties().stream().map(Map.Entry::getKey))
          .containsExactlyInAnyOrder(
              "paymentId", "orderId", "amount", "currency", "provider", "createdAt");
      assertThat(data.path("orderId").asText()).isEqualTo(order.key());
      assertThat(new String(event.data(), UTF_8)).contains("\"amount\": 12345678901234567.10");
      assertThat(Instant.parse(data.path("createdAt").asText())).isBefore(Instant.now());
    }
  }

  @Test
  @DisplayName("R56: a payment waits until everything that was ordered is reserved")
  void aPaymentWaitsForEveryReservation() throws Exception {
    Order order = Order.create();
    order.publishPlaced(shop);
    order.reserve(shop, order.firstProduct(), 2);
    shop.awaitRows(PAYMENT, 1, "SELECT 1 FROM reservations WHERE order_id = '" + order.id() + "'");
    shop.awaitRows(PAYMENT, 1, "SELECT id FROM payments WHERE order_id = '" + order.id() + "'");
    assertThat(payments(order)).containsExactly("INITIATED - 12345678901234567.10 EUR");

    order.reserve(shop, order.secondProduct(), 1);
    assertThat(shop.messages(Shop.PAYMENT_SUCCEEDED, order.key(), 1)).hasSize(1);
  }

  @Test
  @DisplayName("R56: a cancelled order's payment fails, also if the cancellation comes first")
  void aCancelledOrdersPaymentFails() throws Exception {
    Order placedFirst = Order.create();
    placedFirst.publishPlaced(shop);
    shop.awaitRows(
        PAYMENT, 1, "SELECT id FROM payments WHERE order_id = '" + placedFirst.id() + "'");
    placedFirst.publishCancelled(shop);
    Order cancelledFirst = Order.create();
    cancelledFirst.publishCancelled(shop);
    shop.awaitRows(
        PAYMENT,
        1,
        "SELECT 1 FROM cancelled_orders WHERE order_id = '" + cancelledFirst.id() + "'");
    cancelledFirst.publishPlaced(shop);
    cancelledFirst.publishReserved(shop);

    for (Order order : List.of(placedFirst, cancelledFirst)) {
      Message message = shop.messages(Shop.PAYMENT_FAILED, order.key(), 1).get(0);
      JsonNode data = JSON.readTree(checkEnvelope(message, PAYMENT, order.trace()).data());
      assertThat(data.path("failureReason").asText()).isEqualTo("changed my mind");
      assertThat(data.path("orderId").asText()).isEqualTo(order.key());
      assertThat(data.has("paymentId") && data.has("failedAt")).isTrue();
    }
    awaitHandled(PAYMENT, "handled", 4, cancelledFirst);
    assertThat(payments(cancelledFirst)).containsExactly("FAILED - 12345678901234567.10 EUR");
  }

  @Test
  @DisplayName("R56: mails go to the user's address, and each is an event with the trace it is of")
  void mailsAreSentAndTold() throws Exception {
    Order stranger = Order.create();
    stranger.publishPlaced(shop);
    UUID user = UUID.randomUUID();
    String data =
        """
        {"userId":"%s","email":"zoë+s3cr3t@example.org","fullName":"Zoë","createdAt":"2026-03-04T05:06:07Z"}"""
            .formatted(user);
    UUID welcome = UUID.randomUUID();
    shop.publish(Shop.USER_CREATED, user.toString(), welcome, welcome, data);
    shop.awaitRows(NOTIFICATION, 1, "SELECT 1 FROM recipients WHERE user_id = '" + user + "'");
    Order order = Order.create().by(user);
    order.publishReserved(shop);
    order.publishPlaced(shop);
    shop.awaitRows(NOTIFICATION, 2, mails(order, "to_address"));

    assertThat(shop.rows(NOTIFICATION, mails(order, "to_address || ' ' || template || status")))
        .containsExactlyInAnyOrder(
            "zoë+s3cr3t@example.org order-confirmationSENT",
            "zoë+s3cr3t@example.org payment-receiptSENT");
    assertThat(shop.rows(NOTIFICATION, mails(order, "metadata ->> 'traceId'")))
        .containsOnly(order.trace().toString());
    shop.awaitRows(NOTIFICATION, 1, mails(stranger, "id"));
    assertThat(shop.rows(NOTIFICATION, mails(stranger, "to_address")))
        .containsExactly("user-" + stranger.user() + "@polyshop.example");
    for (String id : shop.rows(NOTIFICATION, mails(order, "id"))) {
      Message message = shop.messages(Shop.EMAIL_SENT, id, 1).get(0);
      JsonNode sent = JSON.readTree(checkEnvelope(message, NOTIFICATION, order.trace()).data());
      assertThat(sent.path("notificationId").asText()).isEqualTo(id);
      assertThat(sent.path("type").asText()).isEqualTo("EMAIL");
      assertThat(sent.path("template").asText()).isIn("order-confirmation", "payment-receipt");
      assertThat(Instant.parse(sent.path("sentAt").asText())).isBefore(Instant.now());
    }
    assertThat(shop.service(NOTIFICATION).output())
        .contains(welcome.toString())
        .doesNotContain("s3cr3t");
  }

  @Test
  @DisplayName(
      "R39: what can never be handled goes to the dead-letter topic, and the service goes on")
  void whatCanNeverBeHandledIsBuried() throws Exception {
    UUID order = UUID.randomUUID();
    UUID id = UUID.randomUUID();
    shop.publish(Shop.ORDER_PLACED, order.toString(), "no JSON");
    shop.publish(Shop.ORDER_PLACED, order.toString(), "{\"data\":{}}");
    shop.publish(Shop.ORDER_PLACED, order.toString(), id, id, "{\"orderId\":\"" + order + "\"}");
    String topic = Shop.ORDER_PLACED + ".dlt";
    Order good = Order.create();
    good.publishReserved(shop);
    good.publishPlaced(shop);
    shop.messages(Shop.PAYMENT_SUCCEEDED, good.key(), 1);
    List<Message> letters = shop.messages(topic, order.toString(), 6);

    for (String service : List.of(PAYMENT, NOTIFICATION)) {
      List<DeadLetterContent> read =
          letters.stream()
              .map(PolyShopServicesIT::letter)
              .filter(letter -> service.equals(letter.consumerService()))
              .toList();
      assertThat(read).as(service).hasSize(3);
      assertThat(
              read.stream()
                  .map(
                      letter ->
                          new String(letter.original(), UTF_8).replaceFirst("\"eventId.*", "")))
          .containsExactly("no JSON", "{\"data\":{}}", "{");
      assertThat(read.get(2).eventId()).isEqualTo(id.toString());
      assertThat(read).allMatch(letter -> letter.originalTopic().equals(Shop.ORDER_PLACED));
      assertThat(read).allMatch(letter -> letter.errorMessage() != null);
    }
    JsonNode body = JSON.readTree(letters.get(2).body());
    assertThat(body.properties().stream().map(Map.Entry::getKey))
        .containsExactly("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");
  }

  private static DeadLetterContent letter(Message message) {
    return DeadLetterContent.read(
        new ReceivedMessage(message.topic(), message.key(), message.headers(), message.body()));
  }

  @Test
  @DisplayName("R39: while the database is away events are tried again, and none is lost")
  void anOutageOfTheDatabaseLosesNothing() throws Exception {
    shop.postgres().stopImmediate();
    Order order = Order.create();
    order.publishReserved(shop);
    order.publishPlaced(shop);
    await()
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                Stream.of(PAYMENT, NOTIFICATION)
                    .allMatch(
                        name ->
                            shop.service(name)
                                .output()
                                .lines()
                                .anyMatch(
                                    line ->
                                        line.contains("could not be handled; trying again")
                                            && line.contains(order.trace().toString()))));
    shop.postgres().restart();

    assertThat(shop.messages(Shop.PAYMENT_SUCCEEDED, order.key(), 1)).hasSize(1);
    shop.awaitRows(NOTIFICATION, 2, mails(order, "id"));
    assertThat(shop.rows(NOTIFICATION, mails(order, "template")))
        .containsExactlyInAnyOrder("order-confirmation", "payment-receipt");
  }

  @Test
  @DisplayName("R22, R28, R43: services that are killed while they work pay and mail exactly once")
  void servicesThatAreKilledWorkExactlyOnce() throws Exception {
    List<Order> orders = Stream.generate(Order::create).limit(100).toList();
    orders.forEach(order -> order.publishReserved(shop));
    orders.forEach(order -> awaitHandled(PAYMENT, "handled", 2, order));
    orders.forEach(order -> order.publishPlaced(shop));
    String ids =
        orders.stream().map(order -> "'" + order.id() + "'").collect(Collectors.joining(","));
    String paid = "SELECT id FROM payments WHERE status = 'SUCCESS' AND order_id IN (" + ids + ")";
    String mailed =
        "SELECT metadata ->> 'orderId' FROM email_logs WHERE metadata ->> 'orderId' IN ("
            + ids
            + ")";
    shop.awaitRows(PAYMENT, 10, paid);
    shop.service(PAYMENT).kill();
    shop.awaitRows(NOTIFICATION, 10, mailed);
    shop.service(NOTIFICATION).kill();
    int before = shop.rows(PAYMENT, paid).size();
    startPayment();
    startNotification();
    shop.awaitRows(PAYMENT, orders.size(), paid);
    shop.awaitRows(NOTIFICATION, 2 * orders.size(), mailed);

    assertThat(before).as("paid before the end").isLessThan(orders.size());
    assertThat(shop.rows(PAYMENT, paid)).hasSameSizeAs(orders);
    for (Order order : orders) {
      Set<String> events =
          shop.messages(Shop.PAYMENT_SUCCEEDED).stream()
              .filter(message -> order.key().equals(message.key()))
              .map(message -> checkEnvelope(message, PAYMENT, order.trace()).id())
              .collect(Collectors.toSet());
      assertThat(events).as(order.key()).hasSize(1);
      assertThat(shop.rows(NOTIFICATION, mails(order, "template")))
          .containsExactlyInAnyOrder("order-confirmation", "payment-receipt");
      assertThat(shop.rows(NOTIFICATION, mails(order, "metadata ->> 'traceId'")))
          .containsOnly(order.trace().toString());
    }
  }

  @Test
  @DisplayName("R28: SIGTERM ends a service in good order, with exit code 0")
  void sigtermEndsAServiceInGoodOrder() {
    for (String service : List.of(PAYMENT, NOTIFICATION)) {
      shop.service(service).terminate();
      assertThat(shop.service(service).awaitExit(Shop.PATIENCE))
          .as(shop.service(service).output())
          .isZero();
    }
    startPayment();
    startNotification();
  }

  /** The event, if its envelope and its headers are what the services in Java expect. */
  private static ReceivedEvent<byte[]> checkEnvelope(Message message, String source, UUID trace) {
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

  private static List<String> payments(Order order) throws SQLException {
    return shop.rows(
        PAYMENT,
        "SELECT concat_ws(' ', status, coalesce(provider, '-'), amount, currency) FROM payments"
            + " WHERE order_id = '%s'".formatted(order.id()));
  }

  private static String mails(Order order, String column) {
    return "SELECT %s FROM email_logs WHERE metadata ->> 'orderId' = '%s'"
        .formatted(column, order.id());
  }

  /** Waits until the log says of so many events of each order that they were dealt with. */
  private static void awaitHandled(String service, String message, int events, Order... orders) {
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
