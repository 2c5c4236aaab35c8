package dev.postcommit.examples.packfinderz.events;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.UUID;

/**
 * A checkout became orders.
 *
 * @param checkoutGroupId the checkout
 * @param vendorOrderIds an order for each vendor
 */
public record OrderCreated(
    @JsonProperty("checkout_group_id") UUID checkoutGroupId,
    @JsonProperty("vendor_order_ids") List<UUID> vendorOrderIds) {

  /** Refuses what lacks a required field. */
  public OrderCreated {
    requireNonNull(checkoutGroupId, "checkout_group_id");
    vendorOrderIds = List.copyOf(vendorOrderIds);
  }
}
