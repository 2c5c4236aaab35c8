package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns statement text into SQL for one layout: <code>{table}</code> becomes the table's name, a
 * role in lower case such as <code>{due_at}</code> its column, <code>{type_of_id}</code> the type
 * of a role's column, <code>{payload_size}</code> the bytes of a payload as far as they are known
 * without reading it, and <code>{compressed}</code> whether these may be far more, <code>
 * {size_in_memory}</code> the bytes that it has once it is read, <code>{size_if_stored_so}</code>
 * the same or null if it would have to be read for that, other names what the caller gives.
 */
public final class SqlTemplate {
  private static final String TYPE_OF = "type_of_";
  private static final Set<String> MEASURED = Set.of("bytea", "text", "varchar");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)}");

  private final Layout layout;

  public SqlTemplate(Layout layout) {
    this.layout = layout;
  }

  public String render(String template) {
    return render(template, Map.of());
  }

  public String render(String template, Map<String, String> names) {
    Matcher matcher = PLACEHOLDER.matcher(template);
    StringBuilder sql = new StringBuilder();
    while (matcher.find()) {
      String name = matcher.group(1);
      @Nullable String given = names.get(name);
      matcher.appendReplacement(sql, Matcher.quoteReplacement(given == null ? own(name) : given));
    }
    return matcher.appendTail(sql).toString();
  }

  private String own(String name) {
    if (name.equals("table")) {
      return layout.table().sql();
    }
    if (name.equals("payload_size")) {
      return payloadSize(layout.required(Role.PAYLOAD));
    }
    if (name.equals("size_if_stored_so")) {
      return sizeIfStoredSo(layout.required(Role.PAYLOAD));
    }
    if (name.equals("size_in_memory")) {
      return sizeInMemory(layout.required(Role.PAYLOAD));
    }
    if (name.equals("compressed")) {
      return "pg_column_compression(" + layout.required(Role.PAYLOAD).sql() + ") IS NOT NULL";
    }
    return name.startsWith(TYPE_OF)
        ? layout.required(role(name.substring(TYPE_OF.length()))).type()
        : layout.sql(role(name));
  }

  /** Whether the type tells the size that a payload has for the reader, however it is stored. */
  public static boolean tellsSize(Column payload) {
    return MEASURED.contains(payload.type().toLowerCase(Locale.ROOT));
  }

  private static String payloadSize(Column payload) {
    return (tellsSize(payload) ? "octet_length(" : "pg_column_size(") + payload.sql() + ")";
  }

  /**
   * What is compressed has to be read for its size; other JSON is about as long as it is stored.
   */
  private static String sizeInMemory(Column payload) {
    return tellsSize(payload)
        ? payloadSize(payload)
        : "CASE WHEN pg_column_compression(%s) IS NULL THEN %s ELSE octet_length(%s::text) END"
            .formatted(payload.sql(), payloadSize(payload), payload.sql());
  }

  private static String sizeIfStoredSo(Column payload) {
    return tellsSize(payload)
        ? "coalesce(%s, 0)".formatted(payloadSize(payload))
        : "CASE WHEN pg_column_compression(%s) IS NULL THEN coalesce(%s, 0) END"
            .formatted(payload.sql(), payloadSize(payload));
  }

  private static Role role(String name) {
    return Role.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * A condition that no index is used for. Rows that are looked up by their ids are to be found by
   * these alone: with statistics of quiet times, Postgres takes an index of pending rows for the
   * shorter way, and walks over all of a backlog.
   */
  public static String unindexed(String condition) {
    return "CASE WHEN " + condition + " THEN true ELSE false END";
  }
}
