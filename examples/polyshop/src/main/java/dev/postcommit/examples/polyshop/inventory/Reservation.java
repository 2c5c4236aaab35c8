package dev.postcommit.examples.polyshop.inventory;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A part of the stock that is set aside for an order. */
@Entity
@Table(name = "reservations")
class Reservation {

  enum Status {
    RESERVED,
    CONFIRMED,
    RELEASED
  }

  @Id private UUID id;

  @Column(name = "order_id")
  private UUID orderId;

  @Column(name = "product_id")
  private UUID productId;

  @Column(name = "variant_id")
  private @Nullable UUID variantId;

  @Column(name = "quantity")
  private int quantity;

  @Enumerated(EnumType.STRING)
  @Column(name = "status")
  private Status status = Status.RESERVED;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected Reservation() {}

  Reservation(UUID id, UUID orderId, UUID productId, @Nullable UUID variantId, int quantity) {
    this.id = id;
    this.orderId = orderId;
    this.productId = productId;
    this.variantId = variantId;
    this.quantity = quantity;
  }

  UUID id() {
    return id;
  }

  UUID orderId() {
    return orderId;
  }

  UUID productId() {
    return productId;
  }

  @Nullable UUID variantId() {
    return variantId;
  }

  int quantity() {
    return quantity;
  }

  boolean isOpen() {
    return status == Status.RESERVED;
  }

  void end(Status as) {
    status = as;
  }
}
