package dev.postcommit.examples.packfinderz;

import dev.postcommit.Actor;
import dev.postcommit.examples.packfinderz.licenses.LicenseRefusedException;
import dev.postcommit.examples.packfinderz.licenses.LicenseService;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Where stores upload licenses and admins decide on them. Remembers what ought to be in the table
 * of notifications by what was committed here.
 */
final class Desk {
  private static final UUID STORE = UUID.fromString("5701e000-0000-4000-8000-000000000001");
  private static final Actor KEEPER = new Actor(UUID.randomUUID(), STORE, "owner");
  private static final Actor ADMIN = new Actor(UUID.randomUUID(), null, "admin");

  private final DataSource database;
  private final LicenseService licenses;
  private final List<String> expected = new ArrayList<>();

  Desk(DataSource database, LicenseService licenses) {
    this.database = database;
    this.licenses = licenses;
  }

  /** A notification as one line, the same for what is expected and what is found. */
  static final String LINE = "concat_ws(' | ', type, store_id, title, message, link)";

  /** What notifications there must be in the end. */
  List<String> expected() {
    return List.copyOf(expected);
  }

  UUID upload() throws SQLException {
    UUID license = Transaction.run(database, tx -> licenses.upload(tx, STORE, KEEPER));
    expect(
        "License submitted for review",
        "Store " + STORE + " submitted license " + license + " for compliance review.",
        "/admin/licenses/" + license);
    return license;
  }

  void approve(UUID license) throws SQLException {
    Transaction.run(
        database,
        tx -> {
          licenses.approve(tx, license, ADMIN);
          return license;
        });
    expect(
        "License approved",
        "License " + license + " has been verified.",
        "/stores/" + STORE + "/licenses/" + license);
  }

  void reject(UUID license, String reason) throws SQLException {
    Transaction.run(
        database,
        tx -> {
          licenses.reject(tx, license, reason, ADMIN);
          return license;
        });
    expect(
        "License updated",
        "License " + license + " was rejected. Reason: " + reason,
        "/stores/" + STORE + "/licenses/" + license);
  }

  /** Uploads a license in a transaction that something else fails in. */
  void uploadAndRollBack() throws SQLException {
    try {
      Transaction.run(
          database,
          tx -> {
            UUID unused = licenses.upload(tx, STORE, KEEPER);
            throw new IllegalStateException("the document could not be stored");
          });
    } catch (IllegalStateException e) {
      return;
    }
    throw new AssertionError("the transaction was committed");
  }

  /** Tries to approve a license that cannot be, and returns why. */
  String approveInVain(UUID license) throws SQLException {
    try {
      approve(license);
    } catch (LicenseRefusedException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("license " + license + " was approved a second time");
  }

  private void expect(String title, String message, String link) {
    expected.add(String.join(" | ", "compliance", STORE.toString(), title, message, link));
  }
}
