package dev.postcommit.store.internal;

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
 * without reading it, other names what the caller gives.
 */
final class SqlTemplate {
  private static final String TYPE_OF = "type_of_";
  private static final Set<String> MEASURED = Set.of("bytea", "text", "varchar");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)}");

  private final Layout layout;

  SqlTemplate(Layout layout) {
    this.layout = layout;
  }

  String render(String template) {
    return render(template, Map.of());
  }

  String render(String template, Map<String, String> names) {
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
    return name.startsWith(TYPE_OF)
        ? layout.required(role(name.substring(TYPE_OF.length()))).type()
        : layout.sql(role(name));
  }

  /** Of what is stored compressed, only these types tell the size that it has for the reader. */
  private static String payloadSize(Column payload) {
    boolean tells = MEASURED.contains(payload.type().toLowerCase(Locale.ROOT));
    return (tells ? "octet_length(" : "pg_column_size(") + payload.sql() + ")";
  }

  private static Role role(String name) {
    return Role.valueOf(name.toUpperCase(Locale.ROOT));
  }
}
