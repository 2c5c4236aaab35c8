package dev.postcommit.examples.packfinderz.compliance;

import dev.postcommit.examples.packfinderz.events.LicenseStatusChanged;
import java.util.Optional;
import java.util.UUID;

/**
 * What somebody is to read about a license.
 *
 * @param storeId the store whose license it is
 * @param title in short
 * @param message in full
 * @param link where the license can be seen: by admins, or by the store
 */
public record Notification(UUID storeId, String title, String message, String link) {

  /** The notification about a change, if somebody is to be told. */
  static Optional<Notification> about(LicenseStatusChanged change) {
    return switch (change.status()) {
      case PENDING ->
          Optional.of(
              new Notification(
                  change.storeId(),
                  "License submitted for review",
                  "Store %s submitted license %s for compliance review."
                      .formatted(change.storeId(), change.licenseId()),
                  "/admin/licenses/" + change.licenseId()));
      case VERIFIED ->
          Optional.of(
              ofStore(
                  change,
                  "License approved",
                  "License %s has been verified.".formatted(change.licenseId())));
      case REJECTED -> Optional.of(ofStore(change, "License updated", rejection(change)));
      case EXPIRED -> Optional.empty();
    };
  }

  private static Notification ofStore(LicenseStatusChanged change, String title, String message) {
    return new Notification(
        change.storeId(),
        title,
        message,
        "/stores/%s/licenses/%s".formatted(change.storeId(), change.licenseId()));
  }

  private static String rejection(LicenseStatusChanged change) {
    String rejected = "License %s was rejected.".formatted(change.licenseId());
    String reason = change.reason();
    return reason == null || reason.isBlank() ? rejected : rejected + " Reason: " + reason;
  }
}
