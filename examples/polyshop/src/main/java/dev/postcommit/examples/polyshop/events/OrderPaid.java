package dev.postcommit.examples.polyshop.events;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/** An order is paid. */
public record OrderPaid(
    UUID orderId,
    UUID userId,
    UUID paymentId,
    BigDecimal totalAmount,
    String currency,
    Instant paidAt) {}
