package dev.postcommit.examples.packfinderz.events;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How a license stands. */
public enum LicenseStatus {
  /** It was uploaded, and nobody has decided yet. */
  PENDING,
  /** It was approved. */
  VERIFIED,
  /** It was rejected. */
  REJECTED,
  /** Its time is over. */
  EXPIRED;

  /** The word for it in events and in the table. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The status of that word. */
  public static LicenseStatus of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
