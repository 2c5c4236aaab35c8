package dev.postcommit.examples.polyshop.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What was set aside is for sale again. */
public record StockReleased(
    UUID reservationId,
    UUID orderId,
    UUID productId,
    @Nullable UUID variantId,
    int quantity,
    Instant releasedAt,
    String reason) {}
