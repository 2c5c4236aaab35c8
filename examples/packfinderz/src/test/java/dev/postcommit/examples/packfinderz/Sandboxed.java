package dev.postcommit.examples.packfinderz;

import static org.awaitility.Awaitility.await;

import dev.postcommit.Actor;
import dev.postcommit.DomainEvents;
import dev.postcommit.Outbox;
import dev.postcommit.examples.packfinderz.events.Events;
import dev.postcommit.examples.packfinderz.events.LicenseStatus;
import dev.postcommit.examples.packfinderz.events.LicenseStatusChanged;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

/** A publisher with servers of its own. */
final class Sandboxed {
  static final Map<String, String> ENVIRONMENT = Map.of("POSTCOMMIT_HTTP_PORT", "0");

  private Sandboxed() {}

  /** Writes an event to its database, and waits until it is published. */
  static void awaitDelivery(ShellCommand publisher) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            publisher.printed("POSTCOMMIT_DATABASE_URL"),
            publisher.printed("POSTCOMMIT_DATABASE_USER"),
            "")) {
      UUID license = UUID.randomUUID();
      connection.setAutoCommit(false);
      var unused =
          DomainEvents.on(Outbox.builder(Tables.OUTBOX).build())
              .emit(
                  connection,
                  Events.of(
                      new LicenseStatusChanged(license, license, LicenseStatus.PENDING, null, null),
                      license,
                      new Actor(license, null, null)));
      connection.commit();
      connection.setAutoCommit(true);
      await().atMost(Stage.PATIENCE).until(() -> isPublished(connection));
    }
  }

  private static boolean isPublished(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(published_at) FROM outbox_events")) {
      return row.next() && row.getLong(1) == 1;
    }
  }
}
