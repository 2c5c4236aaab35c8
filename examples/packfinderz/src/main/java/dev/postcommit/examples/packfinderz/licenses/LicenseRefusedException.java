package dev.postcommit.examples.packfinderz.licenses;

import java.util.UUID;

/** A license cannot be changed as asked; nothing was changed and nothing was told. */
public final class LicenseRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final UUID licenseId;

  LicenseRefusedException(UUID licenseId, String message) {
    super(message);
    this.licenseId = licenseId;
  }

  /** Which license. */
  public UUID licenseId() {
    return licenseId;
  }
}
