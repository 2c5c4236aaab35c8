package dev.postcommit.examples.packfinderz.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.examples.packfinderz.events.LicenseStatus;
import dev.postcommit.examples.packfinderz.events.LicenseStatusChanged;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R53: what is said about a license, and to whom")
class NotificationTest {
  private static final UUID LICENSE = UUID.fromString("0197a1b2-0000-7000-8000-00000000000a");
  private static final UUID STORE = UUID.fromString("0197a1b2-0000-7000-8000-00000000000b");

  private static LicenseStatusChanged change(LicenseStatus status, String reason) {
    return new LicenseStatusChanged(LICENSE, STORE, status, reason, null);
  }

  @Test
  void adminsAreToldOfAPendingLicense() {
    assertThat(Notification.about(change(LicenseStatus.PENDING, null)))
        .contains(
            new Notification(
                STORE,
                "License submitted for review",
                "Store 0197a1b2-0000-7000-8000-00000000000b submitted license"
                    + " 0197a1b2-0000-7000-8000-00000000000a for compliance review.",
                "/admin/licenses/0197a1b2-0000-7000-8000-00000000000a"));
  }

  @Test
  void theStoreIsToldThatItsLicenseIsVerified() {
    assertThat(Notification.about(change(LicenseStatus.VERIFIED, null)))
        .contains(
            new Notification(
                STORE,
                "License approved",
                "License 0197a1b2-0000-7000-8000-00000000000a has been verified.",
                "/stores/0197a1b2-0000-7000-8000-00000000000b/licenses/"
                    + "0197a1b2-0000-7000-8000-00000000000a"));
  }

  @Test
  void theStoreIsToldWhyItsLicenseIsRejected() {
    assertThat(Notification.about(change(LicenseStatus.REJECTED, "not legible")))
        .contains(
            new Notification(
                STORE,
                "License updated",
                "License 0197a1b2-0000-7000-8000-00000000000a was rejected. Reason: not legible",
                "/stores/0197a1b2-0000-7000-8000-00000000000b/licenses/"
                    + "0197a1b2-0000-7000-8000-00000000000a"));
    assertThat(Notification.about(change(LicenseStatus.REJECTED, null)))
        .map(Notification::message)
        .contains("License 0197a1b2-0000-7000-8000-00000000000a was rejected.");
  }

  @Test
  void nobodyIsToldOfAnExpiredOne() {
    assertThat(Notification.about(change(LicenseStatus.EXPIRED, null))).isEmpty();
  }

  @Test
  void theSameEventLeadsToTheSameRow() {
    assertThat(Notifications.idOf("event-1"))
        .isEqualTo(Notifications.idOf("event-1"))
        .isNotEqualTo(Notifications.idOf("event-2"));
  }
}
