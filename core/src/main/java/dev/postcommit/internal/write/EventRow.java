package dev.postcommit.internal.write;

import dev.postcommit.Event;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.TimeColumns;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.support.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns an event is written to, with the SQL that makes a column's value of a parameter. */
public final class EventRow {

  /**
   * One written column.
   *
   * @param parameter the name of the parameter
   * @param expression SQL with {@code %s} where the parameter goes; without it a constant
   * @param value the parameter: bytes if the column is binary; otherwise text, or a UUID or an
   *     Integer where the column holds such and the value is never null
   * @param rare whether the column is null for most events, and may be left out for those
   */
  public record Cell(
      String parameter,
      Column column,
      String expression,
      Function<Event, @Nullable Object> value,
      boolean rare) {
    boolean hasParameter() {
      return expression.contains("%s");
    }

    String sql(String parameter) {
      return expression.formatted(parameter);
    }
  }

  private EventRow() {}

  public static List<Cell> of(Layout layout) {
    List<Cell> cells = new ArrayList<>();
    add(cells, layout, Role.ID, false, EventRow::id);
    add(cells, layout, Role.NAMESPACE, false, column -> Event::namespace);
    add(cells, layout, Role.TOPIC, false, column -> Event::topic);
    add(cells, layout, Role.TENANT, true, column -> event -> text(event.tenant()));
    add(cells, layout, Role.DEDUPE_KEY, true, column -> Event::dedupeKey);
    add(cells, layout, Role.TYPE, false, column -> Event::type);
    add(cells, layout, Role.AGGREGATE_TYPE, false, column -> Event::aggregateType);
    add(cells, layout, Role.AGGREGATE_ID, false, column -> Event::aggregateId);
    add(cells, layout, Role.KEY, false, column -> Event::key);
    add(cells, layout, Role.VERSION, false, EventRow::version);
    add(cells, layout, Role.HEADERS, true, column -> EventRow::headers);
    add(cells, layout, Role.PAYLOAD, false, EventRow::payload);
    lifecycle(cells, layout);
    return distinct(cells);
  }

  private static void lifecycle(List<Cell> cells, Layout layout) {
    layout.column(Role.DUE_AT).ifPresent(due -> cells.add(dueAt(layout, due)));
    if (layout.column(Role.SEQ).isEmpty()) {
      // Rows are delivered in this order, so it has to be the time of writing, not that of the
      // transaction's begin.
      Column createdAt = layout.required(Role.CREATED_AT);
      cells.add(
          constant(layout, Role.CREATED_AT, TimeColumns.write(createdAt, "clock_timestamp()")));
    }
    if (layout.column(Role.PROCESSED).isPresent()) {
      cells.add(constant(layout, Role.PROCESSED, "false"));
    }
    layout
        .lifecycle()
        .statusWords()
        .map(words -> RowStates.literal(words.pending()))
        .ifPresent(pending -> cells.add(constant(layout, Role.STATUS, pending)));
  }

  private static Cell dueAt(Layout layout, Column due) {
    boolean nullIsDue = layout.claims().isPresent();
    String time =
        nullIsDue
            ? "NULLIF(GREATEST(CAST(%s AS timestamptz), now()), now())"
            : "COALESCE(CAST(%s AS timestamptz), now())";
    return new Cell(
        name(Role.DUE_AT),
        due,
        TimeColumns.write(due, time),
        event -> text(event.availableAt()),
        nullIsDue);
  }

  private static Cell constant(Layout layout, Role role, String value) {
    return new Cell(name(role), layout.required(role), value, event -> null, false);
  }

  private static void add(
      List<Cell> cells,
      Layout layout,
      Role role,
      boolean rare,
      Function<Column, Function<Event, @Nullable Object>> value) {
    layout
        .column(role)
        .map(c -> new Cell(name(role), c, "CAST(%s AS " + c.type() + ")", value.apply(c), rare))
        .ifPresent(cells::add);
  }

  private static String name(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  /** One column may play two roles; the first one writes it. */
  private static List<Cell> distinct(List<Cell> cells) {
    Set<String> seen = new HashSet<>();
    return cells.stream().filter(cell -> seen.add(cell.column().name())).toList();
  }

  // Values that are of the column's type already need no conversion on either side. A null would
  // have to be of the same type: the driver prepares a statement anew when a parameter's changes.
  private static Function<Event, @Nullable Object> id(Column column) {
    return column.isUuid() ? Event::id : event -> event.id().toString();
  }

  private static Function<Event, @Nullable Object> version(Column column) {
    return column.isNumber() ? Event::version : event -> Integer.toString(event.version());
  }

  private static Function<Event, @Nullable Object> payload(Column column) {
    return column.isBinary()
        ? event -> event.payload().bytes()
        : event -> new String(event.payload().bytes(), StandardCharsets.UTF_8);
  }

  private static @Nullable String headers(Event event) {
    return event.headers().isEmpty() ? null : JsonText.write(event.headers());
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
