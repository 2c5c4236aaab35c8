package dev.postcommit.examples.packfinderz.events;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order was canceled.
 *
 * @param orderId the order
 * @param checkoutGroupId the checkout it came from
 * @param buyerStoreId who ordered
 * @param vendorStoreId who was to deliver
 * @param canceledAt when
 * @param reason why, if somebody said
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrderCanceled(
    @JsonProperty("order_id") UUID orderId,
    @JsonProperty("checkout_group_id") UUID checkoutGroupId,
    @JsonProperty("buyer_store_id") UUID buyerStoreId,
    @JsonProperty("vendor_store_id") UUID vendorStoreId,
    @JsonProperty("canceled_at") Instant canceledAt,
    @Nullable String reason) {

  /** Refuses what lacks a required field. */
  public OrderCanceled {
    requireNonNull(orderId, "order_id");
    requireNonNull(checkoutGroupId, "checkout_group_id");
    requireNonNull(buyerStoreId, "buyer_store_id");
    requireNonNull(vendorStoreId, "vendor_store_id");
    requireNonNull(canceledAt, "canceled_at");
  }
}
