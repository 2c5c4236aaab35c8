package dev.postcommit.examples.polyshop.events;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order was placed. */
public record OrderPlaced(
    UUID orderId,
    UUID userId,
    List<Item> items,
    BigDecimal totalAmount,
    String currency,
    Instant createdAt) {

  /** Keeps a copy of the list. */
  public OrderPlaced {
    items = List.copyOf(items);
  }

  /** What was ordered, and how much of it. */
  public record Item(UUID productId, @Nullable UUID variantId, int quantity) {}
}
