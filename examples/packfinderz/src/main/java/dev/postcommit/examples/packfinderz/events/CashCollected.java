package dev.postcommit.examples.packfinderz.events;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.UUID;

/**
 * An order was paid in cash.
 *
 * @param orderId the order
 * @param buyerStoreId who paid
 * @param vendorStoreId for whom it is
 * @param amountCents how much
 * @param cashCollectedAt when
 */
public record CashCollected(
    @JsonProperty("order_id") UUID orderId,
    @JsonProperty("buyer_store_id") UUID buyerStoreId,
    @JsonProperty("vendor_store_id") UUID vendorStoreId,
    @JsonProperty(value = "amount_cents", required = true) int amountCents,
    @JsonProperty("cash_collected_at") Instant cashCollectedAt) {

  /** Refuses what lacks a required field. */
  public CashCollected {
    requireNonNull(orderId, "order_id");
    requireNonNull(buyerStoreId, "buyer_store_id");
    requireNonNull(vendorStoreId, "vendor_store_id");
    requireNonNull(cashCollectedAt, "cash_collected_at");
  }
}
