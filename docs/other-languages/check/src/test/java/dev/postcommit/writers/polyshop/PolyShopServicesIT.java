package dev.postcommit.writers.polyshop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.relay.Message;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R56: what the services do with orders, reservations, payments and users. */
class PolyShopServicesIT extends PolyShopServices {
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
}
