package dev.postcommit.store.internal;

import dev.postcommit.Event;
import dev.postcommit.internal.JsonText;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
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

  private static final byte[] NOTHING = {};

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

  /** The select list that {@link #read} expects to come first; the table is called {@code t}. */
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
    @Nullable String topic = row.getString(3);
    @Nullable String type = row.getString(6);
    byte @Nullable [] payload = payload(row);
    @Nullable OffsetDateTime createdAt = row.getObject(13, OffsetDateTime.class);
    return new StoredEvent(
        row.getString(1),
        row.getString(2),
        topic != null ? topic : String.valueOf(type),
        row.getObject(4, UUID.class),
        row.getString(5),
        type != null ? type : String.valueOf(topic),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getInt(10),
        JsonText.read(row.getString(11)),
        payload == null ? NOTHING : payload,
        createdAt == null ? Instant.EPOCH : createdAt.toInstant(),
        row.getInt(14) + attemptOffset,
        defect(payload, type == null && topic == null));
  }

  private byte @Nullable [] payload(ResultSet row) throws SQLException {
    if (binaryPayload) {
      return row.getBytes(12);
    }
    @Nullable String text = row.getString(12);
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  /** What the row lacks; an envelope could make nothing of it. */
  private static @Nullable String defect(byte @Nullable [] payload, boolean nameless) {
    if (payload == null) {
      return "the payload is null";
    }
    return nameless ? "it has no type and no topic" : null;
  }

  private static String expression(Layout layout, Role role) {
    @Nullable Column column = layout.columns().get(role);
    String name = column == null ? "" : "t." + column.sql();
    return switch (role) {
      case NAMESPACE -> or(column, "text '" + Event.DEFAULT_NAMESPACE + "'");
      case VERSION -> or(column, "1");
      case ATTEMPTS ->
          or(column, beside(layout, layout.failures(), "attempts", whileDead(layout), "0"));
      case HEADERS ->
          column == null
              ? beside(layout, layout.headers(), "headers", "", "NULL") + "::text"
              : name + "::text";
      case TENANT -> column == null ? "CAST(NULL AS uuid)" : name;
      case CREATED_AT -> column == null ? "CAST(NULL AS timestamptz)" : "t." + Times.read(column);
      case PAYLOAD -> column != null && column.isBinary() ? name : name + "::text";
      default -> column == null ? "CAST(NULL AS text)" : name + "::text";
    };
  }

  private static String or(@Nullable Column column, String otherwise) {
    return "coalesce(" + (column == null ? "NULL" : "t." + column.sql()) + ", " + otherwise + ")";
  }

  /** The attempts of a dead row do not count once somebody has changed its status back. */
  private static String whileDead(Layout layout) {
    return layout.lifecycle() instanceof Lifecycle.Status status
        ? " AND (b.dead_at IS NULL OR t.%s = %s)"
            .formatted(layout.sql(Role.STATUS), Marks.literal(status.dead()))
        : "";
  }

  /** What a table beside this one says of the row, if there is such a table. */
  private static String beside(
      Layout layout, Optional<TableName> table, String column, String condition, String otherwise) {
    return table
        .map(
            name ->
                "coalesce((SELECT b.%s FROM %s b WHERE b.id = t.%s%s), %s)"
                    .formatted(column, name.sql(), layout.sql(Role.ID), condition, otherwise))
        .orElse(otherwise);
  }
}
