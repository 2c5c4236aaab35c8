package dev.postcommit.examples.polyshop.product;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/** Something for sale. */
@Entity
@Table(name = "products")
class Product {
  @Id private UUID id;

  @Column(name = "name")
  private String name;

  @Column(name = "price")
  private BigDecimal price;

  @Column(name = "category_id")
  private UUID categoryId;

  @Column(name = "created_at")
  private Instant createdAt;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected Product() {}

  Product(UUID id, String name, BigDecimal price, UUID categoryId, Instant createdAt) {
    this.id = id;
    this.name = name;
    this.price = price;
    this.categoryId = categoryId;
    this.createdAt = createdAt;
  }

  UUID id() {
    return id;
  }

  String name() {
    return name;
  }

  BigDecimal price() {
    return price;
  }

  UUID categoryId() {
    return categoryId;
  }

  Instant createdAt() {
    return createdAt;
  }
}
