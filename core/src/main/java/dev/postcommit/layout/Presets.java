package dev.postcommit.layout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.support.Suggestion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The layouts that Postcommit can create: its own tables, and those in folders on the class path,
 * each of which has a layout file and migrations.
 */
final class Presets {
  private static final String OWN_MIGRATIONS = "db/postcommit/";
  private static final String FOLDERS = "dev/postcommit/layout/presets/";

  /** Those of our own tables, and one per folder. */
  static final List<String> NAMES =
      Stream.concat(Stream.of("native", "log"), resource("names.txt").lines()).toList();

  private Presets() {}

  /**
   * The preset of this name.
   *
   * @param table the table, or null for the preset's own
   */
  static Layout of(String name, @Nullable TableName table) {
    return switch (name) {
      case "native" -> nativeTable(table == null ? TableName.of("postcommit_outbox") : table);
      case "log" -> log(table == null ? TableName.of("postcommit_log") : table);
      default -> {
        if (!NAMES.contains(name)) {
          throw new IllegalArgumentException(
              "'%s' is not one of %s%s"
                  .formatted(name, String.join(", ", NAMES), Suggestion.didYouMean(name, NAMES)));
        }
        yield described(name, table);
      }
    };
  }

  private static Layout described(String name, @Nullable TableName table) {
    String file = name + "/layout.properties";
    try {
      return LayoutFile.read(resource(file), FOLDERS + name, table);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(FOLDERS + file + ": " + e.getMessage(), e);
    }
  }

  private static String resource(String name) {
    try (InputStream resource = Presets.class.getResourceAsStream("presets/" + name)) {
      return new String(requireNonNull(resource, name).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + FOLDERS + name, e);
    }
  }

  private static Layout nativeTable(TableName table) {
    Map<Role, Column> columns = content();
    columns.put(Role.DUE_AT, new Column("due_at", "timestamptz"));
    columns.put(Role.STATUS, new Column("status", "text"));
    columns.put(Role.ATTEMPTS, new Column("attempts", "int"));
    columns.put(Role.LAST_ERROR, new Column("last_error", "text"));
    columns.put(Role.DELIVERED_AT, new Column("delivered_at", "timestamptz"));
    return own("native", table, columns, new Claimed(table.withSuffix("_claim"), OnDelivery.KEEP));
  }

  private static Layout log(TableName table) {
    return own("log", table, content(), new Log(table.withSuffix("_cursor")));
  }

  private static Layout own(
      String name, TableName table, Map<Role, Column> columns, Lifecycle lifecycle) {
    return new Layout(
        name,
        table,
        columns,
        lifecycle,
        RetryPolicy.DEFAULT,
        LayoutSettings.NONE,
        OWN_MIGRATIONS + name);
  }

  /** The columns of our own tables but for those of a lifecycle. */
  private static Map<Role, Column> content() {
    Map<Role, Column> columns = new EnumMap<>(Role.class);
    columns.put(Role.ID, new Column("id", "uuid"));
    columns.put(Role.SEQ, new Column("seq", "bigint"));
    columns.put(Role.NAMESPACE, new Column("namespace", "text"));
    columns.put(Role.TOPIC, new Column("topic", "text"));
    columns.put(Role.TENANT, new Column("tenant", "uuid"));
    columns.put(Role.DEDUPE_KEY, new Column("dedupe_key", "text"));
    columns.put(Role.TYPE, new Column("type", "text"));
    columns.put(Role.AGGREGATE_TYPE, new Column("aggregate_type", "text"));
    columns.put(Role.AGGREGATE_ID, new Column("aggregate_id", "text"));
    columns.put(Role.KEY, new Column("key", "text"));
    columns.put(Role.VERSION, new Column("version", "int"));
    columns.put(Role.HEADERS, new Column("headers", "jsonb"));
    columns.put(Role.PAYLOAD, new Column("payload", "bytea"));
    columns.put(Role.CREATED_AT, new Column("created_at", "timestamptz"));
    return columns;
  }
}
