package dev.postcommit.examples.packfinderz.events;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.UUID;

/**
 * Somebody is to be notified of an order.
 *
 * @param orderId the order
 * @param checkoutGroupId the checkout it came from
 * @param buyerStoreId who ordered
 * @param vendorStoreId who is to deliver
 * @param type the kind of notification
 */
public record NotificationRequested(
    @JsonProperty("order_id") UUID orderId,
    @JsonProperty("checkout_group_id") UUID checkoutGroupId,
    @JsonProperty("buyer_store_id") UUID buyerStoreId,
    @JsonProperty("vendor_store_id") UUID vendorStoreId,
    String type) {

  /** Refuses what lacks a required field. */
  public NotificationRequested {
    requireNonNull(orderId, "order_id");
    requireNonNull(checkoutGroupId, "checkout_group_id");
    requireNonNull(buyerStoreId, "buyer_store_id");
    requireNonNull(vendorStoreId, "vendor_store_id");
    requireNonNull(type, "type");
  }
}
