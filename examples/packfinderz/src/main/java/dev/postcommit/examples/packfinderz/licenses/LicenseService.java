package dev.postcommit.examples.packfinderz.licenses;

import dev.postcommit.Actor;
import dev.postcommit.DomainEvents;
import dev.postcommit.examples.packfinderz.events.Events;
import dev.postcommit.examples.packfinderz.events.LicenseStatus;
import dev.postcommit.examples.packfinderz.events.LicenseStatusChanged;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes licenses, and tells of each change by an event in the same transaction: the caller's, who
 * commits both or neither.
 */
public final class LicenseService {
  private static final String INSERT =
      "INSERT INTO licenses (id, store_id, status) VALUES (?, ?, ?)";
  private static final String SELECT =
      "SELECT store_id, status FROM licenses WHERE id = ? FOR UPDATE";
  private static final String UPDATE =
      "UPDATE licenses SET status = ?, reason = ?, updated_at = now() WHERE id = ?";

  private final DomainEvents events;

  /** A service that tells of changes by {@code events}. */
  public LicenseService(DomainEvents events) {
    this.events = events;
  }

  /** Takes a store's license; somebody has to decide on it. */
  public UUID upload(Connection tx, UUID storeId, Actor by) throws SQLException {
    UUID license = UUID.randomUUID();
    try (PreparedStatement insert = tx.prepareStatement(INSERT)) {
      insert.setObject(1, license);
      insert.setObject(2, storeId);
      insert.setString(3, LicenseStatus.PENDING.label());
      insert.executeUpdate();
    }
    tell(tx, license, storeId, LicenseStatus.PENDING, null, by);
    return license;
  }

  /**
   * Approves a pending license.
   *
   * @throws LicenseRefusedException if there is none, or it is not pending
   */
  public void approve(Connection tx, UUID license, Actor by) throws SQLException {
    decide(tx, license, LicenseStatus.VERIFIED, null, by);
  }

  /**
   * Rejects a pending license.
   *
   * @param reason why, if somebody said
   * @throws LicenseRefusedException if there is none, or it is not pending
   */
  public void reject(Connection tx, UUID license, @Nullable String reason, Actor by)
      throws SQLException {
    decide(tx, license, LicenseStatus.REJECTED, reason, by);
  }

  private void decide(
      Connection tx, UUID license, LicenseStatus status, @Nullable String reason, Actor by)
      throws SQLException {
    UUID store = storeOfPending(tx, license, status);
    try (PreparedStatement update = tx.prepareStatement(UPDATE)) {
      update.setString(1, status.label());
      update.setString(2, reason);
      update.setObject(3, license);
      update.executeUpdate();
    }
    tell(tx, license, store, status, reason, by);
  }

  /** Locks the license, so that of two who decide at the same time one is refused. */
  private static UUID storeOfPending(Connection tx, UUID license, LicenseStatus wanted)
      throws SQLException {
    try (PreparedStatement select = tx.prepareStatement(SELECT)) {
      select.setObject(1, license);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          throw new LicenseRefusedException(license, "there is no license " + license);
        }
        LicenseStatus status = LicenseStatus.of(row.getString("status"));
        if (status != LicenseStatus.PENDING) {
          throw new LicenseRefusedException(
              license,
              "license %s is %s and cannot become %s; only a pending one can"
                  .formatted(license, status.label(), wanted.label()));
        }
        return row.getObject("store_id", UUID.class);
      }
    }
  }

  private void tell(
      Connection tx,
      UUID license,
      UUID store,
      LicenseStatus status,
      @Nullable String reason,
      Actor by) {
    LicenseStatusChanged change = new LicenseStatusChanged(license, store, status, reason, null);
    var unused = events.emit(tx, Events.of(change, license, by));
  }
}
