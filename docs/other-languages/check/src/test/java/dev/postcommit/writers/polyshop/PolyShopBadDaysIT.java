package dev.postcommit.writers.polyshop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.relay.Message;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R28, R39, R43: bad messages, outages, and services that are stopped and killed. */
class PolyShopBadDaysIT extends PolyShopServices {
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
              .map(PolyShopBadDaysIT::letter)
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
  @DisplayName(
      "R26, R38: an event that the broker refuses is dead to Postcommit, too; others go on")
  void whatTheBrokerRefusesIsGivenUp() throws Exception {
    Order order = Order.create();
    order.publishPlaced(shop);
    order.publishCancelled(shop, "x".repeat(4400));
    String user =
        """
        {"eventId":"%s","timestamp":"2026-03-04T05:06:07Z","eventType":"%s","version":1,\
        "source":"auth-service","data":{"userId":"%s","email":"zoe@example.org"},\
        "metadata":{"traceId":"t","correlationId":"%s"}}"""
            .formatted(order.id(), Shop.USER_CREATED, order.user(), "x".repeat(4400));
    shop.publish(Shop.USER_CREATED, order.user().toString(), user);
    await()
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                Stream.of(PAYMENT, NOTIFICATION)
                    .allMatch(service -> shop.admin(service).status().dead() == 1));
    Order good = Order.create();
    good.publishReserved(shop);
    good.publishPlaced(shop);

    assertThat(shop.messages(Shop.PAYMENT_SUCCEEDED, good.key(), 1)).hasSize(1);
    for (String service : List.of(PAYMENT, NOTIFICATION)) {
      assertThat(
              shop.rows(
                  service, "SELECT processed FROM outbox_events WHERE error_message IS NOT NULL"))
          .containsExactly("f");
    }
  }

  @Test
  @DisplayName("R39: while the database is away events are tried again, and none is lost")
  void anOutageOfTheDatabaseLosesNothing() throws Exception {
    shop.postgres().stopImmediate();
    Order order = Order.create();
    order.publishReserved(shop);
    order.publishPlaced(shop);
    awaitTrouble(order);
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
    List<Message> published = shop.messages(Shop.PAYMENT_SUCCEEDED);
    for (Order order : orders) {
      Set<String> events =
          published.stream()
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
  @DisplayName("R22, R28: while the broker is away rows wait and say why; then all goes on")
  void anOutageOfTheBrokerLosesNothing() throws Exception {
    Map<String, String> types = Map.of(PAYMENT, Shop.PAYMENT_FAILED, NOTIFICATION, Shop.EMAIL_SENT);
    String key = UUID.randomUUID().toString();
    shop.kafka().stop();
    for (String service : types.keySet()) {
      shop.execute(
          service,
          "INSERT INTO outbox_events (id, aggregate_id, event_type, payload)"
              + " VALUES (gen_random_uuid(), '%s', '%s', '{}')".formatted(key, types.get(service)));
    }
    for (String service : types.keySet()) {
      shop.awaitRows(
          service,
          1,
          "SELECT 1 FROM outbox_events WHERE aggregate_id = '%s' AND error_message IS NOT NULL"
              .formatted(key));
    }
    shop.kafka().restart();

    for (String service : types.keySet()) {
      assertThat(shop.messages(types.get(service), key, 1)).hasSize(1);
      shop.awaitRows(
          service,
          1,
          "SELECT 1 FROM outbox_events WHERE aggregate_id = '%s' AND processed".formatted(key));
    }
    Order order = Order.create();
    order.publishReserved(shop);
    order.publishPlaced(shop);
    shop.messages(Shop.PAYMENT_SUCCEEDED, order.key(), 1);
    shop.awaitRows(NOTIFICATION, 2, mails(order, "id"));
  }

  @Test
  @DisplayName("R28, R39: a service ends in an outage, too; what it could not handle waits for it")
  void aServiceEndsInAnOutage() {
    shop.postgres().stopImmediate();
    Order order = Order.create();
    order.publishReserved(shop);
    order.publishPlaced(shop);
    awaitTrouble(order);
    endServices();
    shop.postgres().restart();
    startPayment();
    startNotification();

    assertThat(shop.messages(Shop.PAYMENT_SUCCEEDED, order.key(), 1)).hasSize(1);
    shop.awaitRows(NOTIFICATION, 2, mails(order, "id"));
  }

  @Test
  @DisplayName("R28: SIGTERM ends a service in good order, with exit code 0")
  void sigtermEndsAServiceInGoodOrder() {
    endServices();
    startPayment();
    startNotification();
  }

  /** Waits until both services have tried to handle events of an order in vain. */
  private static void awaitTrouble(Order order) {
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
  }

  private static void endServices() {
    for (String service : List.of(PAYMENT, NOTIFICATION)) {
      shop.service(service).terminate();
      assertThat(shop.service(service).awaitExit(Shop.PATIENCE))
          .as(shop.service(service).output())
          .isZero();
    }
  }
}
