package dev.postcommit.examples.polyshop.inventory;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/**
 * An order for which nothing is to be reserved any more. Placing and cancelling are of different
 * topics, so the news of the one may come before that of the other.
 */
@Entity
@Table(name = "cancelled_orders")
class CancelledOrder {
  @Id
  @Column(name = "order_id")
  private UUID orderId;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected CancelledOrder() {}

  CancelledOrder(UUID orderId) {
    this.orderId = orderId;
  }

  UUID orderId() {
    return orderId;
  }
}
