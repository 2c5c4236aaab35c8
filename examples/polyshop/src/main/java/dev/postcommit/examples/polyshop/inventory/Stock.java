package dev.postcommit.examples.polyshop.inventory;

import dev.postcommit.consumer.message.PermanentFailureException;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/** How much of a product can be sold, and how much is set aside for orders. */
@Entity
@Table(name = "stock")
class Stock {
  @Id
  @Column(name = "product_id")
  private UUID productId;

  @Column(name = "available")
  private int available;

  @Column(name = "reserved")
  private int reserved;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected Stock() {}

  Stock(UUID productId) {
    this.productId = productId;
  }

  UUID productId() {
    return productId;
  }

  int available() {
    return available;
  }

  int reserved() {
    return reserved;
  }

  /** Sets what is available; returns by how much that is more than before. */
  int set(int pieces) {
    int delta = pieces - available;
    available = pieces;
    return delta;
  }

  void reserve(int pieces) {
    if (pieces > available) {
      throw new PermanentFailureException(
          "Validation failed: %d of product %s ordered, %d available"
              .formatted(pieces, productId, available));
    }
    available -= pieces;
    reserved += pieces;
  }

  void release(int pieces) {
    reserved -= pieces;
    available += pieces;
  }

  void confirm(int pieces) {
    reserved -= pieces;
  }
}
