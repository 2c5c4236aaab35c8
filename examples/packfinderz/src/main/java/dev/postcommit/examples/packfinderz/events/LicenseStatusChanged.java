package dev.postcommit.examples.packfinderz.events;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A license was uploaded, approved, rejected, or has expired.
 *
 * @param licenseId which one
 * @param storeId whose it is
 * @param status how it stands now
 * @param reason why, if somebody said
 * @param warningType what it warns of, if anything
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LicenseStatusChanged(
    UUID licenseId,
    UUID storeId,
    LicenseStatus status,
    @Nullable String reason,
    @Nullable String warningType) {

  /** Refuses what lacks a required field. */
  public LicenseStatusChanged {
    requireNonNull(licenseId, "licenseId");
    requireNonNull(storeId, "storeId");
    requireNonNull(status, "status");
  }
}
