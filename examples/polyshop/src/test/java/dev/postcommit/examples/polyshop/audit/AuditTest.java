package dev.postcommit.examples.polyshop.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.examples.polyshop.audit.PlacedOrder.Kind;
import dev.postcommit.examples.polyshop.audit.Snapshot.Level;
import dev.postcommit.examples.polyshop.audit.Snapshot.OutboxRow;
import dev.postcommit.examples.polyshop.audit.Snapshot.Payment;
import dev.postcommit.examples.polyshop.audit.Snapshot.Reservation;
import dev.postcommit.examples.polyshop.events.Topics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The audit finds what it is there to find: each test spoils one thing in a shop that is well. */
class AuditTest {
  private static final UUID PRODUCT = UUID.randomUUID();
  private static final UUID BOUGHT = UUID.randomUUID();
  private static final UUID DEAD = UUID.randomUUID();

  private final Map<UUID, String> orders = new HashMap<>(Map.of(BOUGHT, "PAID", DEAD, "CREATED"));
  private final Map<UUID, Level> stock = new HashMap<>(Map.of(PRODUCT, new Level(8, 0)));
  private final List<Reservation> reservations =
      new ArrayList<>(List.of(new Reservation(BOUGHT, PRODUCT, 2, "CONFIRMED")));
  private final List<Payment> payments =
      new ArrayList<>(List.of(new Payment(BOUGHT, "SUCCESS"), new Payment(DEAD, "INITIATED")));
  private final Map<String, Long> counts =
      new HashMap<>(Map.of(Topics.ORDER_PLACED, 2L, Topics.ORDER_PAID, 1L, Topics.EMAIL_SENT, 3L));
  private final List<OutboxRow> outbox = new ArrayList<>();
  private final List<ShopEvent> events = new ArrayList<>();
  private final List<ShopEvent> letters = new ArrayList<>();
  private final List<String> emails =
      List.of("trace-" + BOUGHT, "trace-" + BOUGHT, "trace-" + DEAD);
  private long unread;

  AuditTest() {
    emit("order-service", Topics.ORDER_PLACED, "placed", BOUGHT, BOUGHT.toString(), "");
    emit("order-service", Topics.ORDER_PLACED, "placed-dead", DEAD, DEAD.toString(), "");
    emit("order-service", Topics.ORDER_PAID, "paid", BOUGHT, BOUGHT.toString(), "");
    emit("notification-service", Topics.EMAIL_SENT, "mail-1", BOUGHT, "n-1", "confirmation");
    emit("notification-service", Topics.EMAIL_SENT, "mail-2", BOUGHT, "n-1", "receipt");
    emit("notification-service", Topics.EMAIL_SENT, "mail-3", DEAD, "n-3", "confirmation");
    letters.add(letter(events.get(1), "Validation failed: product not found: x"));
  }

  @Test
  void nothingIsFoundInAShopThatIsWell() {
    assertThat(findings()).isEmpty();
    events.add(events.get(0));
    assertThat(findings()).as("a second delivery").isEmpty();
  }

  @Test
  void anOrderThatIsNotPaidOrIsPlacedTwiceIsFound() {
    orders.put(BOUGHT, "PENDING_PAYMENT");
    finds("order " + BOUGHT + " is PENDING_PAYMENT, not PAID");
    orders.put(BOUGHT, "PAID");
    orders.put(UUID.randomUUID(), "CREATED");
    finds("2 orders were placed, and there are 3");
  }

  @Test
  void aSecondReservationAndWrongStockAreFound() {
    reservations.add(reservations.get(0));
    finds("two reservations");
    reservations.clear();
    finds("what is reserved for order " + BOUGHT);
    stock.put(PRODUCT, new Level(6, 0));
    finds("of product " + PRODUCT);
  }

  @Test
  void aSecondAMissingAndAWrongPaymentAreFound() {
    payments.add(payments.get(0));
    finds("order " + BOUGHT + " has 2 payments");
    payments.clear();
    finds("order " + BOUGHT + " has 0 payments");
    payments.addAll(List.of(new Payment(BOUGHT, "SUCCESS"), new Payment(DEAD, "SUCCESS")));
    finds("the payment of order " + DEAD);
  }

  @Test
  void anEventThatIsLostOrNobodyWroteOrIsOutOfOrderIsFound() {
    OutboxRow paid = outbox.remove(2);
    finds("of 0 events of order.order.paid.v1");
    outbox.add(paid);
    ShopEvent lost = events.remove(2);
    finds("of 1 events of order.order.paid.v1");
    events.add(lost);
    Collections.swap(events, 2, 3);
    finds("in another order");
  }

  @Test
  void anUnprocessedRowAnUnreadMessageAndAWrongCountAreFound() {
    outbox.set(
        0, new OutboxRow("order-service", "placed", Topics.ORDER_PLACED, BOUGHT + "", false));
    finds("placed is not processed");
    unread = 3;
    finds("3 messages are not read");
    counts.put(Topics.ORDER_PLACED, 3L);
    finds("has counted 3 of 2");
  }

  @Test
  void anEnvelopeOrATraceThatIsNotAsAgreedIsFound() {
    ShopEvent placed = events.get(0);
    replace(0, placed.body().toString().replace("\"version\":1", "\"version\":1,\"more\":1"));
    finds("placed is not as in the contract");
    replace(0, placed.body().toString().replace("trace-", "other-"));
    finds("is of trace other-");
    replace(0, placed.body().toString().replace("key-", "none-"));
    finds("lacks its idempotency key");
  }

  @Test
  void aMissingReceiptIsFound() {
    replace(4, events.get(4).body().toString().replace("receipt", "confirmation"));
    finds("has 2 e-mails of 1 kinds, not 2");
  }

  @Test
  void aLetterThatIsMissingOrOfAnotherKindIsFound() {
    ShopEvent letter = letters.remove(0);
    finds("0 orders of unknown products are dead letters, not 1");
    letters.add(letter);
    letters.add(letter(events.get(0), "deadlock"));
    finds("is not as it should be: deadlock");
  }

  private void finds(String part) {
    assertThat(findings()).anyMatch(finding -> finding.contains(part));
  }

  private List<String> findings() {
    Plan plan =
        new Plan(
            List.of(order(BOUGHT, Kind.BOUGHT, PRODUCT), order(DEAD, Kind.UNKNOWN_PRODUCT, DEAD)),
            Map.of(PRODUCT, 10),
            0,
            true,
            true);
    return Audit.findings(
        plan,
        new Snapshot(
            orders,
            stock,
            reservations,
            payments,
            emails,
            1,
            counts,
            outbox,
            events,
            letters,
            unread));
  }

  private static PlacedOrder order(UUID id, Kind kind, UUID product) {
    return new PlacedOrder(id, kind, Map.of(product, 2), "trace-" + id, "c-" + id, "key-" + id);
  }

  private void emit(
      String source, String type, String id, UUID order, String key, String template) {
    outbox.add(new OutboxRow(source, id, type, key, true));
    String data =
        template.isEmpty()
            ? "{\"orderId\":\"%s\"}".formatted(order)
            : "{\"template\":\"%s\"}".formatted(template);
    String body =
        """
        {"eventId":"%s","timestamp":"2026-03-04T05:06:07Z","eventType":"%s","version":1,"source":"%s",
        "data":%s,"metadata":{"traceId":"trace-%s","correlationId":"c-%s","idempotencyKey":"key-%s"}}"""
            .formatted(id, type, source, data, order, order, order);
    events.add(ShopEvent.of(type, key, body));
  }

  private void replace(int index, String body) {
    ShopEvent event = events.get(index);
    events.set(index, ShopEvent.of(event.topic(), event.key(), body));
  }

  private static ShopEvent letter(ShopEvent event, String error) {
    return ShopEvent.of(
        event.topic() + ".dlt",
        event.key(),
        """
        {"eventId":"%s","originalEvent":%s,"errorMessage":"%s","failedAt":"2026-03-04T05:06:07Z",
        "consumerService":"inventory-service"}"""
            .formatted(event.eventId(), event.body(), error));
  }
}
