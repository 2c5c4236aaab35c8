package dev.postcommit.internal.jdbc;

import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import java.util.Optional;

/**
 * What names an event to people, as SQL expressions over the table called {@code t}: text, or null
 * where the layout has no column.
 *
 * @param type its type, or its topic if the layout keeps no type
 * @param topic its topic, or its type if the layout keeps no topic
 * @param key its key
 * @param aggregateType the kind of thing it happened to
 * @param aggregateId which thing it happened to
 * @param writtenAt when it was written, as a time
 * @param order what rows are sorted by, so that the oldest come first
 */
public record EventTexts(
    String type,
    String topic,
    String key,
    String aggregateType,
    String aggregateId,
    String writtenAt,
    String order) {

  public static EventTexts of(Layout layout) {
    Optional<Column> type = layout.column(Role.TYPE);
    Optional<Column> topic = layout.column(Role.TOPIC);
    Role order = layout.column(Role.SEQ).isPresent() ? Role.SEQ : Role.CREATED_AT;
    return new EventTexts(
        text(type.or(() -> topic)),
        text(topic.or(() -> type)),
        text(layout.column(Role.KEY)),
        text(layout.column(Role.AGGREGATE_TYPE)),
        text(layout.column(Role.AGGREGATE_ID)),
        layout
            .column(Role.CREATED_AT)
            .map(column -> "t." + TimeColumns.read(column))
            .orElse("CAST(NULL AS timestamptz)"),
        "t.%s, t.%s".formatted(layout.sql(order), layout.sql(Role.ID)));
  }

  private static String text(Optional<Column> column) {
    return column.map(c -> "CAST(t." + c.sql() + " AS text)").orElse("CAST(NULL AS text)");
  }
}
