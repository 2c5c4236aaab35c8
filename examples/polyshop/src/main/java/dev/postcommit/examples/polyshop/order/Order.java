package dev.postcommit.examples.polyshop.order;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order, with its items in {@code order_items}. */
@Entity
@Table(name = "orders")
class Order {

  enum Status {
    CREATED,
    PENDING_PAYMENT,
    PAID,
    CANCELLED
  }

  @Id private UUID id;

  @Column(name = "user_id")
  private UUID userId;

  @Column(name = "total_amount")
  private BigDecimal totalAmount;

  @Column(name = "currency")
  private String currency;

  @Enumerated(EnumType.STRING)
  @Column(name = "status")
  private Status status = Status.CREATED;

  @Column(name = "idempotency_key")
  private @Nullable String idempotencyKey;

  @Column(name = "created_at")
  private Instant createdAt;

  @ElementCollection
  @CollectionTable(name = "order_items", joinColumns = @JoinColumn(name = "order_id"))
  private List<OrderItem> items;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected Order() {}

  Order(
      UUID id,
      UUID userId,
      List<OrderItem> items,
      String currency,
      @Nullable String idempotencyKey,
      Instant createdAt) {
    this.id = id;
    this.userId = userId;
    this.items = List.copyOf(items);
    this.totalAmount =
        items.stream().map(OrderItem::totalPrice).reduce(BigDecimal.ZERO, BigDecimal::add);
    this.currency = currency;
    this.idempotencyKey = idempotencyKey;
    this.createdAt = createdAt;
  }

  UUID id() {
    return id;
  }

  UUID userId() {
    return userId;
  }

  List<OrderItem> items() {
    return items;
  }

  BigDecimal totalAmount() {
    return totalAmount;
  }

  String currency() {
    return currency;
  }

  @Nullable String idempotencyKey() {
    return idempotencyKey;
  }

  Instant createdAt() {
    return createdAt;
  }

  Status status() {
    return status;
  }

  void becomes(Status next) {
    status = next;
  }
}
