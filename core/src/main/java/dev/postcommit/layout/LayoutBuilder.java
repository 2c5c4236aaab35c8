package dev.postcommit.layout;

import dev.postcommit.RetryPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes an existing table, so that it can be used as an outbox.
 *
 * <p>Only {@link Role#ID}, {@link Role#PAYLOAD}, {@link Role#TYPE} or {@link Role#TOPIC}, something
 * to order by and the columns of the lifecycle are required; {@link #build()} names those that are
 * missing. The more roles have a column, the less Postcommit stores in tables of its own.
 */
public final class LayoutBuilder {
  private final TableName table;
  private final Map<Role, Column> columns = new EnumMap<>(Role.class);
  private final List<String> mistakes = new ArrayList<>();
  private String name = "adopted";
  private @Nullable Lifecycle lifecycle;
  private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
  private LayoutSettings settings = LayoutSettings.NONE;
  private @Nullable String migrations;

  /** Where the roles are described, if that is a file. */
  private final Map<Role, String> places = new EnumMap<>(Role.class);

  LayoutBuilder(TableName table) {
    this.table = table;
  }

  /** Names the layout in messages and logs; {@code adopted} unless set. */
  public LayoutBuilder name(String value) {
    name = value;
    return this;
  }

  /**
   * Adds a column.
   *
   * @param column its name in the database, case-sensitive
   * @param type its type as in {@code CREATE TABLE}; a length is ignored. For {@link Role#TYPE},
   *     {@link Role#AGGREGATE_TYPE} and {@link Role#STATUS} it may be an enum type
   */
  public LayoutBuilder column(Role role, String column, String type) {
    return column(role, column, type, List.of());
  }

  /**
   * Adds a column of an enum type.
   *
   * @param type the enum type; without a schema, it is in that of the table
   * @param labels the values of the type
   */
  public LayoutBuilder column(Role role, String column, String type, List<String> labels) {
    String plain = ColumnType.plain(type);
    String full =
        labels.isEmpty() || plain.contains(".") || table.schema() == null
            ? plain
            : TableName.quoted(table.schema()) + "." + plain;
    try {
      @Nullable Column before = columns.put(role, new Column(column, full, labels));
      if (before != null) {
        mistakes.add(
            "%s has two columns, %s and %s; name one".formatted(role, before.name(), column));
      }
    } catch (IllegalArgumentException e) {
      mistakes.add(places.getOrDefault(role, "") + role + ": " + e.getMessage());
    }
    return this;
  }

  /**
   * Sets how the table records what became of a row: {@link Lifecycle.Status}, {@link
   * Lifecycle.PublishedAt}, {@link Lifecycle.ProcessedFlag} or {@link Lifecycle.Leased}.
   */
  public LayoutBuilder lifecycle(Lifecycle value) {
    lifecycle = value;
    return this;
  }

  /**
   * Sets when failed events are tried again and given up; {@link RetryPolicy#DEFAULT} unless set.
   */
  public LayoutBuilder retryPolicy(RetryPolicy value) {
    retryPolicy = value;
    return this;
  }

  /** Sets what the layout says about the settings of its relays; nothing unless set. */
  public LayoutBuilder settings(LayoutSettings value) {
    settings = value;
    return this;
  }

  /** Names the folder of the migrations that create the table. */
  LayoutBuilder migrations(String value) {
    migrations = value;
    return this;
  }

  /** Says where a role is described, for messages about its column. */
  LayoutBuilder place(Role role, String value) {
    places.put(role, value);
    return this;
  }

  /**
   * The layout. Without a column for {@link Role#KEY}, that of {@link Role#AGGREGATE_ID} is the
   * key; with neither, events have no order among each other.
   *
   * @throws IllegalArgumentException with every mistake in the description
   */
  public Layout build() {
    Map<Role, Column> all = new EnumMap<>(columns);
    @Nullable Column aggregateId = columns.get(Role.AGGREGATE_ID);
    if (aggregateId != null) {
      all.putIfAbsent(Role.KEY, aggregateId);
    }
    List<String> found = new ArrayList<>(mistakes);
    if (migrations == null) {
      found.addAll(Adoption.mistakesInNames(name, table));
    }
    found.addAll(Adoption.mistakes(all, lifecycle, places));
    if (lifecycle == null || !found.isEmpty()) {
      throw new IllegalArgumentException(
          "%s cannot be adopted as described: %s".formatted(table, String.join("; ", found)));
    }
    return new Layout(name, table, all, lifecycle, retryPolicy, settings, migrations);
  }
}
