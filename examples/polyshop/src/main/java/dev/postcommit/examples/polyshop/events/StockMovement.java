package dev.postcommit.examples.polyshop.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The stock of a product has changed. */
public record StockMovement(
    UUID movementId,
    UUID productId,
    @Nullable UUID variantId,
    int quantityDelta,
    String reason,
    Instant createdAt) {}
