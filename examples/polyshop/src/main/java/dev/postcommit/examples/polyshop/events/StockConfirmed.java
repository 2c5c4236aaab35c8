package dev.postcommit.examples.polyshop.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What was set aside is sold. */
public record StockConfirmed(
    UUID reservationId,
    UUID orderId,
    UUID productId,
    @Nullable UUID variantId,
    int quantity,
    Instant confirmedAt) {}
