package dev.postcommit.examples.polyshop.audit;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What databases and topics hold.
 *
 * @param orders the state of each order
 * @param stock what is left of each product
 * @param reservations all of them
 * @param payments all of them; empty if payment-service does not run
 * @param emails each row of the log of e-mails as text; empty if notification-service does not run
 * @param indexed how many products searches find
 * @param counts how many events of each type analytics-service has counted
 * @param outbox the rows of all outboxes, in the order of each
 * @param events the messages of all topics, in the order of each key
 * @param letters those of the dead-letter topics
 * @param unread how many messages services have not read yet
 */
public record Snapshot(
    Map<UUID, String> orders,
    Map<UUID, Level> stock,
    List<Reservation> reservations,
    List<Payment> payments,
    List<String> emails,
    int indexed,
    Map<String, Long> counts,
    List<OutboxRow> outbox,
    List<ShopEvent> events,
    List<ShopEvent> letters,
    long unread) {

  /** What there is of a product. */
  public record Level(int available, int reserved) {}

  /** What is set aside of a product for an order. */
  public record Reservation(UUID orderId, UUID productId, int quantity, String status) {}

  /** What is or was to be charged for an order. */
  public record Payment(UUID orderId, String status) {}

  /** An event as it was written. */
  public record OutboxRow(
      String source, String eventId, String eventType, String key, boolean processed) {}
}
