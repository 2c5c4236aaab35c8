package dev.postcommit.examples.polyshop.audit;

import java.util.Map;
import java.util.UUID;

/**
 * An order as its customer knows it.
 *
 * @param kind what became of it, as far as the customer is concerned
 * @param items how many of which products
 * @param traceId the trace of the customer's requests
 */
public record PlacedOrder(
    UUID orderId,
    Kind kind,
    Map<UUID, Integer> items,
    String traceId,
    String correlationId,
    String idempotencyKey) {

  /** What became of an order. */
  public enum Kind {
    /** It is to be paid and delivered. */
    BOUGHT,
    /** The customer cancelled it, and that was accepted. */
    CANCELLED,
    /** Of a product that inventory-service does not know. */
    UNKNOWN_PRODUCT
  }

  /** Keeps a copy of the items. */
  public PlacedOrder {
    items = Map.copyOf(items);
  }
}
