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
 * Turns statement text into SQL for one layout. Parameters, which have {@linkplain NamedSql names}
 * too, are not touched. What stands in braces is replaced:
 *
 * <ul>
 *   <li><code>{table}</code> by the table's name, and <code>{claims}</code>, <code>{cursor}</code>,
 *       <code>{relays}</code> and the like by those of the tables beside it
 *   <li><code>{epoch}</code>, <code>{is_locked}</code> and <code>{unfinished}</code> by what {@link
 *       ServerRun}, {@link TableLock} and {@link RecordedErrors} say
 *   <li>a role in lower case, such as <code>{due_at}</code>, by its column
 *   <li><code>{type_of_id}</code> by the type of a role's column
 *   <li><code>{payload_size}</code> by the bytes of a payload as far as they are known without
 *       reading it, and <code>{compressed}</code> by whether they may be far more
 *   <li><code>{size_in_memory}</code> by the bytes of a payload once it is read, and <code>
 *       {size_if_stored_so}</code> by the same, or null if it would have to be read for that
 *   <li>any other name by what the caller gives
 * </ul>
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

  /** As {@link #render}, for a statement with named parameters. */
  public NamedSql statement(String template) {
    return statement(template, Map.of());
  }

  public NamedSql statement(String template, Map<String, String> names) {
    return NamedSql.of(render(template, names));
  }

  private String own(String name) {
    return switch (name) {
      case "table" -> layout.table().sql();
      case "sequence" -> layout.table().withSuffix("_seq").sql();
      case "claims" -> layout.claims().orElseThrow().sql();
      case "cursor" -> layout.cursor().orElseThrow().sql();
      case "diverted" -> layout.diverted().orElseThrow().table().sql();
      case "keys" -> layout.dedupeKeys().orElseThrow().sql();
      case "failures" -> layout.failures().orElseThrow().sql();
      case "audit" -> layout.audit().sql();
      case "relays" -> layout.relays().sql();
      case "pauses" -> layout.pause().sql();
      case "topics" -> layout.topics().sql();
      case "epoch" -> ServerRun.EPOCH;
      case "is_locked" -> TableLock.IS_LOCKED;
      case "unfinished" -> RecordedErrors.UNFINISHED;
      case "payload_size" -> payloadSize(layout.required(Role.PAYLOAD));
      case "size_if_stored_so" -> sizeIfStoredSo(layout.required(Role.PAYLOAD));
      case "size_in_memory" -> sizeInMemory(layout.required(Role.PAYLOAD));
      case "compressed" -> "pg_column_compression(" + layout.sql(Role.PAYLOAD) + ") IS NOT NULL";
      default ->
          name.startsWith(TYPE_OF)
              ? layout.required(role(name.substring(TYPE_OF.length()))).type()
              : layout.sql(role(name));
    };
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
   * A condition that Postgres uses no index for. Rows that are looked up by their ids have to be
   * found by the index of ids alone: with statistics of quiet times, Postgres takes an index of
   * pending rows for cheaper, and walks over all of a backlog.
   */
  public static String unindexed(String condition) {
    return "CASE WHEN " + condition + " THEN true ELSE false END";
  }
}
