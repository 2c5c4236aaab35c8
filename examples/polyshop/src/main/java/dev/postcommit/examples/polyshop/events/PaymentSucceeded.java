package dev.postcommit.examples.polyshop.events;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/** An order's amount was charged. */
public record PaymentSucceeded(
    UUID paymentId,
    UUID orderId,
    BigDecimal amount,
    String currency,
    String provider,
    Instant createdAt) {}
