package dev.postcommit.examples.packfinderz.compliance;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** The table {@code notifications}. */
final class Notifications {
  private static final String TYPE = "compliance";

  private static final String INSERT =
      """
      INSERT INTO notifications (id, store_id, type, title, message, link)
      VALUES (?, ?, CAST(? AS notification_type), ?, ?, ?)
      ON CONFLICT (id) DO NOTHING""";

  private final DataSource dataSource;

  Notifications(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Writes the notification that an event leads to. Its id is made from the event's, so the same
   * event leads to the same row, also when it is handled again after a crash.
   */
  void write(String eventId, Notification notification) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setObject(1, idOf(eventId));
      insert.setObject(2, notification.storeId());
      insert.setString(3, TYPE);
      insert.setString(4, notification.title());
      insert.setString(5, notification.message());
      insert.setString(6, notification.link());
      insert.executeUpdate();
    }
  }

  static UUID idOf(String eventId) {
    String name = ComplianceConsumer.NAME + ":" + eventId;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }
}
