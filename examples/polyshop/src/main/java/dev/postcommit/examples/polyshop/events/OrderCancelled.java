package dev.postcommit.examples.polyshop.events;

import java.time.Instant;
import java.util.UUID;

/** An order was cancelled before it was paid. */
public record OrderCancelled(UUID orderId, String reason, Instant cancelledAt) {}
