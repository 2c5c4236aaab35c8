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
import java.util.Locale;
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

  /** The columns of our own tables but for those of a lifecycle. */
  private static final String CONTENT =
      """
      id uuid, seq bigint, namespace text, topic text, tenant uuid, dedupe_key text, type text,
      aggregate_type text, aggregate_id text, key text, version int, headers jsonb, payload bytea,
      created_at timestamptz""";

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
    return own(
        "native",
        table,
        CONTENT
            + """
            , due_at timestamptz, status text, attempts int, last_error text,
            delivered_at timestamptz""",
        new Claimed(table.withSuffix("_claim"), OnDelivery.KEEP));
  }

  private static Layout log(TableName table) {
    return own("log", table, CONTENT, new Log(table.withSuffix("_cursor")));
  }

  /** A layout whose columns are named after their roles. */
  private static Layout own(String name, TableName table, String columns, Lifecycle lifecycle) {
    Map<Role, Column> byRole = new EnumMap<>(Role.class);
    for (String column : columns.split(",")) {
      String[] parts = column.strip().split(" ");
      byRole.put(Role.valueOf(parts[0].toUpperCase(Locale.ROOT)), new Column(parts[0], parts[1]));
    }
    return new Layout(
        name,
        table,
        byRole,
        lifecycle,
        RetryPolicy.DEFAULT,
        LayoutSettings.NONE,
        OWN_MIGRATIONS + name);
  }
}
