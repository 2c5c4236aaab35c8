package dev.postcommit.store.internal;

import dev.postcommit.Event;
import dev.postcommit.internal.JsonText;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.store.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads events from the rows of one layout. */
final class EventReader {

  private static final Role[] ROLES = {
    Role.ID,
    Role.NAMESPACE,
    Role.TOPIC,
    Role.TENANT,
    Role.DEDUPE_KEY,
    Role.TYPE,
    Role.AGGREGATE_TYPE,
    Role.AGGREGATE_ID,
    Role.KEY,
    Role.VERSION,
    Role.HEADERS,
    Role.PAYLOAD,
    Role.CREATED_AT,
    Role.ATTEMPTS
  };

  private final String columns;
  private final boolean binaryPayload;

  EventReader(Layout layout) {
    StringBuilder list = new StringBuilder();
    for (Role role : ROLES) {
      list.append(list.isEmpty() ? "" : ", ").append(expression(layout, role));
    }
    columns = list.toString();
    binaryPayload = layout.required(Role.PAYLOAD).isBinary();
  }

  /** The select list that {@link #read} expects to come first. */
  String columns() {
    return columns;
  }

  /** The number of columns in {@link #columns()}. */
  static int width() {
    return ROLES.length;
  }

  /**
   * The event of the present row.
   *
   * @param attemptOffset added to the row's attempts
   */
  StoredEvent read(ResultSet row, int attemptOffset) throws SQLException {
    String topic = row.getString(3);
    @Nullable String type = row.getString(6);
    return new StoredEvent(
        row.getObject(1, UUID.class),
        row.getString(2),
        topic,
        row.getObject(4, UUID.class),
        row.getString(5),
        type == null ? topic : type,
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getInt(10),
        JsonText.read(row.getString(11)),
        binaryPayload ? row.getBytes(12) : row.getString(12).getBytes(StandardCharsets.UTF_8),
        row.getObject(13, OffsetDateTime.class).toInstant(),
        row.getInt(14) + attemptOffset);
  }

  private static String expression(Layout layout, Role role) {
    @Nullable Column column = layout.columns().get(role);
    return switch (role) {
      case NAMESPACE -> column == null ? "text '" + Event.DEFAULT_NAMESPACE + "'" : column.sql();
      case VERSION -> column == null ? "1" : column.sql();
      case TENANT -> column == null ? "CAST(NULL AS uuid)" : column.sql();
      case ID, PAYLOAD, CREATED_AT, ATTEMPTS ->
          column != null && column.isJson() ? column.sql() + "::text" : layout.sql(role);
      default -> column == null ? "CAST(NULL AS text)" : column.sql() + "::text";
    };
  }
}
