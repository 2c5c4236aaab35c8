package dev.postcommit.examples.polyshop.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A part of the stock is set aside for an order. */
public record StockReserved(
    UUID reservationId,
    UUID orderId,
    UUID productId,
    @Nullable UUID variantId,
    int quantity,
    Instant reservedAt) {}
