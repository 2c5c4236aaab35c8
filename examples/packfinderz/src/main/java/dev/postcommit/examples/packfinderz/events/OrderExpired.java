package dev.postcommit.examples.packfinderz.events;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order waited too long for its vendor's decision.
 *
 * @param orderId the order
 * @param checkoutGroupId the checkout it came from
 * @param buyerStoreId who ordered
 * @param vendorStoreId who was to decide
 * @param expiredAt when
 * @param ttlDays after how many days, if that is known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OrderExpired(
    UUID orderId,
    UUID checkoutGroupId,
    UUID buyerStoreId,
    UUID vendorStoreId,
    Instant expiredAt,
    @JsonProperty("ttl_days") @Nullable Integer ttlDays) {

  /** Refuses what lacks a required field. */
  public OrderExpired {
    requireNonNull(orderId, "orderId");
    requireNonNull(checkoutGroupId, "checkoutGroupId");
    requireNonNull(buyerStoreId, "buyerStoreId");
    requireNonNull(vendorStoreId, "vendorStoreId");
    requireNonNull(expiredAt, "expiredAt");
  }
}
