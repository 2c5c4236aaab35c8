package dev.postcommit.internal.jdbc;

import static java.util.stream.Collectors.joining;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.JsonText;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads events from the rows of one layout.
 *
 * <p>A payload that might not fit into memory is not read: its event is one that cannot be
 * delivered, and says so.
 */
public final class EventReader {

  /**
   * The largest payload that is read, in bytes: what each of four batches can hold at a time with
   * all its copies, and what every outbox takes by default in any case.
   */
  static final long LARGEST =
      Math.max(Outbox.DEFAULT_MAX_PAYLOAD_BYTES, Runtime.getRuntime().maxMemory() / 32);

  /** What a text begins with that is the size of JSON that is not read; no JSON does. */
  private static final String WITHHELD = "#";

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

  /** The size of a payload that is not read, the last of the columns. */
  private static final int WITHHELD_SIZE = ROLES.length + 1;

  /** Where the column of each role is; a lookup by name would cost more, for each value read. */
  private static final Map<Role, Integer> POSITIONS = new EnumMap<>(Role.class);

  static {
    for (Role role : ROLES) {
      POSITIONS.put(role, POSITIONS.size() + 1);
    }
  }

  private static final byte[] NO_BYTES = {};

  private final String columns;
  private final boolean binaryPayload;
  private final boolean tellsSize;

  public EventReader(Layout layout) {
    columns =
        columns(role -> expression(layout, role))
            + ", "
            + withheldSize(layout.required(Role.PAYLOAD));
    binaryPayload = layout.required(Role.PAYLOAD).isBinary();
    tellsSize = SqlTemplate.tellsSize(layout.required(Role.PAYLOAD));
  }

  /** The select list that {@link #read} expects to come first; the table is called {@code t}. */
  public String columns() {
    return columns;
  }

  private static String columns(Function<Role, String> expression) {
    return Stream.of(ROLES).map(expression).collect(joining(", "));
  }

  /** The same as {@link #columns()}, but null in the place of headers and payload. */
  public static String summary(Layout layout) {
    return columns(
            role ->
                switch (role) {
                  case HEADERS -> "CAST(NULL AS text)";
                  case PAYLOAD ->
                      layout.required(role).isBinary()
                          ? "CAST(NULL AS bytea)"
                          : "CAST(NULL AS text)";
                  default -> expression(layout, role);
                })
        + ", CAST(NULL AS bigint)";
  }

  /**
   * The event of the present row.
   *
   * @param attemptOffset added to the row's attempts
   */
  public StoredEvent read(ResultSet row, int attemptOffset) throws SQLException {
    @Nullable String topic = row.getString(at(Role.TOPIC));
    @Nullable String type = row.getString(at(Role.TYPE));
    Payload payload = payload(row);
    @Nullable OffsetDateTime createdAt = row.getObject(at(Role.CREATED_AT), OffsetDateTime.class);
    return new StoredEvent(
        row.getString(at(Role.ID)),
        row.getString(at(Role.NAMESPACE)),
        topic != null ? topic : String.valueOf(type),
        row.getObject(at(Role.TENANT), UUID.class),
        row.getString(at(Role.DEDUPE_KEY)),
        type != null ? type : String.valueOf(topic),
        row.getString(at(Role.AGGREGATE_TYPE)),
        row.getString(at(Role.AGGREGATE_ID)),
        row.getString(at(Role.KEY)),
        row.getInt(at(Role.VERSION)),
        JsonText.read(row.getString(at(Role.HEADERS))),
        payload.bytes() == null ? NO_BYTES : payload.bytes(),
        createdAt == null ? Instant.EPOCH : createdAt.toInstant(),
        row.getInt(at(Role.ATTEMPTS)) + attemptOffset,
        defect(payload, type == null && topic == null));
  }

  /**
   * What was read of a payload.
   *
   * @param bytes null if it was not read, or if there is none
   * @param withheld its size if it was not read; otherwise 0
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Payload(byte @Nullable [] bytes, long withheld) {}

  private static int at(Role role) {
    return Objects.requireNonNull(POSITIONS.get(role));
  }

  private Payload payload(ResultSet row) throws SQLException {
    if (binaryPayload) {
      byte @Nullable [] bytes = row.getBytes(at(Role.PAYLOAD));
      return new Payload(bytes, bytes == null ? row.getLong(WITHHELD_SIZE) : 0);
    }
    @Nullable String text = row.getString(at(Role.PAYLOAD));
    if (text == null) {
      return new Payload(null, row.getLong(WITHHELD_SIZE));
    }
    return tellsSize || !text.startsWith(WITHHELD)
        ? new Payload(text.getBytes(StandardCharsets.UTF_8), 0)
        : new Payload(null, Long.parseLong(text.substring(WITHHELD.length())));
  }

  /** What the row lacks; an envelope could make nothing of it. */
  private static @Nullable String defect(Payload payload, boolean nameless) {
    if (payload.withheld() > 0) {
      return ("the payload has %d bytes, and with its memory this relay reads up to %d, a"
              + " thirty-second of the heap: replay the event once the relay has more, or discard it")
          .formatted(payload.withheld(), LARGEST);
    }
    if (payload.bytes() == null) {
      return "the payload is null";
    }
    return nameless ? "it has no type and no topic" : null;
  }

  /** The payload, or nothing if it is too large; of JSON its size then. */
  private static String payload(Column column) {
    String name = "t." + column.sql();
    if (SqlTemplate.tellsSize(column)) {
      return "CASE WHEN octet_length(%s) <= %d THEN %s END"
          .formatted(name, LARGEST, column.isBinary() ? name : name + "::text");
    }
    // The text is made once, as that is what reading it costs.
    return ("(SELECT CASE WHEN octet_length(x) <= %d THEN x ELSE '%s' || octet_length(x) END"
            + " FROM (SELECT %s::text AS x OFFSET 0) AS once)")
        .formatted(LARGEST, WITHHELD, name);
  }

  private static String withheldSize(Column column) {
    String size = "octet_length(t." + column.sql() + ")";
    return SqlTemplate.tellsSize(column)
        ? "CASE WHEN %s > %d THEN %s END".formatted(size, LARGEST, size)
        : "CAST(NULL AS bigint)";
  }

  private static String expression(Layout layout, Role role) {
    @Nullable Column column = layout.columns().get(role);
    String name = column == null ? "" : "t." + column.sql();
    return switch (role) {
      case NAMESPACE -> or(column, "text '" + Event.DEFAULT_NAMESPACE + "'");
      case VERSION -> or(column, "1");
      case ATTEMPTS ->
          or(column, sideTable(layout, layout.failures(), "attempts", whileDead(layout), "0"));
      case HEADERS ->
          column == null
              ? sideTable(layout, layout.headers(), "headers", "", "NULL") + "::text"
              : name + "::text";
      case TENANT -> column == null ? "CAST(NULL AS uuid)" : name;
      case CREATED_AT ->
          column == null ? "CAST(NULL AS timestamptz)" : "t." + TimeColumns.read(column);
      case PAYLOAD -> payload(layout.required(Role.PAYLOAD));
      default -> column == null ? "CAST(NULL AS text)" : name + "::text";
    };
  }

  private static String or(@Nullable Column column, String otherwise) {
    return "coalesce(" + (column == null ? "NULL" : "t." + column.sql()) + ", " + otherwise + ")";
  }

  /** The attempts of a dead row do not count once somebody has changed its status back. */
  private static String whileDead(Layout layout) {
    return layout
        .lifecycle()
        .statusWords()
        .map(
            words ->
                " AND (b.dead_at IS NULL OR t.%s = %s)"
                    .formatted(layout.sql(Role.STATUS), RowStates.literal(words.dead())))
        .orElse("");
  }

  /** What a side table says of the row, if there is such a table. */
  private static String sideTable(
      Layout layout, Optional<TableName> table, String column, String condition, String otherwise) {
    return table
        .map(
            name ->
                "coalesce((SELECT b.%s FROM %s b WHERE b.id = t.%s%s), %s)"
                    .formatted(column, name.sql(), layout.sql(Role.ID), condition, otherwise))
        .orElse(otherwise);
  }
}
