package dev.postcommit.examples.polyshop.search;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.util.UUID;

/** A product as searches find it. */
@Entity
@Table(name = "product_index")
class IndexedProduct {
  @Id
  @Column(name = "product_id")
  private UUID productId;

  @Column(name = "name")
  private String name;

  @Column(name = "price")
  private BigDecimal price;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected IndexedProduct() {}

  IndexedProduct(UUID productId, String name, BigDecimal price) {
    this.productId = productId;
    this.name = name;
    this.price = price;
  }

  UUID productId() {
    return productId;
  }

  String name() {
    return name;
  }

  BigDecimal price() {
    return price;
  }
}
