package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import java.util.Map;
import java.util.Optional;

/**
 * What names an event to people, as SQL expressions over the table called {@code t}: text, or null
 * where the layout has no column.
 */
public final class EventTexts {
  private EventTexts() {}

  /**
   * The placeholders by which statements refer to them: {@code type_text} and {@code topic_text},
   * each of which stands for the other if the layout keeps only one; {@code key_text}, {@code
   * aggregate_type_text}, {@code aggregate_id_text}; {@code written_at}, a time; and {@code order},
   * which sorts the oldest rows first.
   */
  public static Map<String, String> names(Layout layout) {
    Optional<Column> type = layout.column(Role.TYPE);
    Optional<Column> topic = layout.column(Role.TOPIC);
    Role order = layout.column(Role.SEQ).isPresent() ? Role.SEQ : Role.CREATED_AT;
    return Map.of(
        "type_text", text(type.or(() -> topic)),
        "topic_text", text(topic.or(() -> type)),
        "key_text", text(layout.column(Role.KEY)),
        "aggregate_type_text", text(layout.column(Role.AGGREGATE_TYPE)),
        "aggregate_id_text", text(layout.column(Role.AGGREGATE_ID)),
        "written_at",
            layout
                .column(Role.CREATED_AT)
                .map(column -> "t." + TimeColumns.read(column))
                .orElse("CAST(NULL AS timestamptz)"),
        "order", "t.%s, t.%s".formatted(layout.sql(order), layout.sql(Role.ID)));
  }

  private static String text(Optional<Column> column) {
    return column.map(c -> "CAST(t." + c.sql() + " AS text)").orElse("CAST(NULL AS text)");
  }
}
