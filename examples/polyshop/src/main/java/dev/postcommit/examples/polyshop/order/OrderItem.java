package dev.postcommit.examples.polyshop.order;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.math.BigDecimal;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What was ordered, how much of it, and for how much. */
@Embeddable
record OrderItem(
    @Column(name = "product_id") UUID productId,
    @Column(name = "variant_id") @Nullable UUID variantId,
    @Column(name = "quantity") int quantity,
    @Column(name = "unit_price") BigDecimal unitPrice,
    @Column(name = "total_price") BigDecimal totalPrice) {

  static OrderItem of(
      UUID productId, @Nullable UUID variantId, int quantity, BigDecimal unitPrice) {
    if (quantity < 1) {
      throw new IllegalArgumentException("quantity must be at least 1, not " + quantity);
    }
    BigDecimal total = unitPrice.multiply(BigDecimal.valueOf(quantity));
    return new OrderItem(productId, variantId, quantity, unitPrice, total);
  }
}
