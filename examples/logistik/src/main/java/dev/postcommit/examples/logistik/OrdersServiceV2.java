package dev.postcommit.examples.logistik;

import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places and archives orders; each change and its event are one transaction. */
@Service
class OrdersServiceV2 {
  static final String PLACED = "order.placed";
  static final String ARCHIVED = "order.archived";

  private static final String ORDER = "Order";

  /** What consumers are told of a new order. */
  record OrderPlaced(UUID orderId, String customer, int total) {}

  /** What consumers are told of an order that is no longer in the table. */
  record OrderArchived(UUID orderId, String reason) {}

  private final JdbcClient jdbc;
  private final OutboxService outbox;

  OrdersServiceV2(JdbcClient jdbc, OutboxService outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  /**
   * Places an order.
   *
   * @return the id of its event
   */
  @Transactional
  public UUID place(UUID id, String customer, int total) {
    UUID event = outbox.record(ORDER, id, PLACED, new OrderPlaced(id, customer, total));
    // The table takes no order without a total: the event written above then goes with it.
    jdbc.sql("INSERT INTO orders VALUES (?, ?, ?)").params(id, customer, total).update();
    return event;
  }

  /**
   * Takes an order out of the table.
   *
   * @return the id of its event
   */
  @Transactional
  public UUID archive(UUID id, String reason) {
    jdbc.sql("DELETE FROM orders WHERE id = ?").param(id).update();
    return outbox.record(ORDER, id, ARCHIVED, new OrderArchived(id, reason));
  }
}
