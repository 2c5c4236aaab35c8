package dev.postcommit.examples.polyshop.events;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/** A product is for sale. */
public record ProductCreated(
    UUID productId, String name, BigDecimal price, UUID categoryId, Instant createdAt) {}
