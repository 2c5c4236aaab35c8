package dev.postcommit.layout;

import dev.postcommit.PostcommitException;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.PublishedAt;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.Suggestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The description of a table in a file of Java properties, in UTF-8. Presets are described so, too.
 *
 * <pre>
 * table = legacy.domain_events
 * lifecycle = status
 * status.pending = NEW
 * status.delivered = SENT
 * status.dead = BROKEN
 * column.id = event_no bigint
 * column.payload = body text
 * </pre>
 *
 * <p>A column is its name and its type; {@code labels.<role>} lists the values of an enum type.
 * {@code lifecycle} is status, published-at, processed-flag or leased; {@code dead-rows} (keep or
 * mark-processed) goes with processed-flag. These may be left out:
 *
 * <ul>
 *   <li>{@code name};
 *   <li>{@code retry.max-attempts} (a number, unlimited, or required if relays have no default),
 *       {@code retry.base-delay}, {@code retry.max-delay} and {@code retry.jitter};
 *   <li>{@code setting.<name>}: the default of one of the settings in {@link LayoutSettings#NAMES};
 *   <li>{@code variable.<name>}: an environment variable that stands for one of these, or for
 *       max-attempts. Two things may follow it: the setting's value, in which <code>{}</code> is
 *       the variable's, and the numbers the variable may be, as in <code>SLEEP_MS {}ms 250..1000
 *       </code>.
 * </ul>
 */
public final class LayoutFile {
  private static final String COLUMN = "column.";
  private static final String LABELS = "labels.";
  private static final List<String> LIFECYCLES =
      List.of("status", "published-at", "processed-flag", "leased");
  private static final List<String> STATUS_WORDS =
      List.of("status.pending", "status.delivered", "status.dead");
  private static final String DEAD_ROWS = "dead-rows";
  private static final Map<String, Boolean> MARKS_DEAD =
      Map.of("keep", false, "mark-processed", true);

  private final LayoutText text;

  private LayoutFile(LayoutText text) {
    this.text = text;
  }

  /**
   * The layout that {@code file} describes.
   *
   * @throws IllegalArgumentException if the description is not complete or not acceptable, with the
   *     file, the line and the key
   * @throws PostcommitException if the file cannot be read
   */
  public static Layout read(Path file) {
    try {
      return read(Files.readString(file), null, null);
    } catch (NoSuchFileException e) {
      throw new PostcommitException("there is no file " + file, e);
    } catch (IOException e) {
      throw new PostcommitException("could not read " + file + ": " + e, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The layout in a text.
   *
   * @param migrations the folder of the migrations that create the table; null if it is adopted
   * @param otherTable the table; null for the one in the text
   */
  static Layout read(String text, @Nullable String migrations, @Nullable TableName otherTable)
      throws IOException {
    LayoutFile file = new LayoutFile(new LayoutText(text));
    file.refuseUnknownKeys();
    LayoutBuilder builder = Layout.adopt(otherTable == null ? file.table() : otherTable);
    if (migrations != null) {
      builder.migrations(migrations);
    }
    return file.describe(builder);
  }

  private Layout describe(LayoutBuilder builder) {
    if (text.has("name")) {
      builder.name(text.required("name"));
    }
    for (Role role : Role.values()) {
      String key = key(COLUMN, role);
      if (text.has(key)) {
        String column = text.required(key);
        String[] parts = column.split("\\s+", 2);
        if (parts.length < 2) {
          throw text.mistake(
              key,
              "%s: '%s' is not a column and its type; write for example %s = %s text"
                  .formatted(key, column, key, parts[0]));
        }
        builder.place(role, text.place(key)).column(role, parts[0], parts[1], labels(role));
      }
    }
    return builder
        .lifecycle(lifecycle())
        .retryPolicy(retryPolicy())
        .settings(LayoutSettingsText.read(text))
        .build();
  }

  private TableName table() {
    String table = text.required("table");
    try {
      return TableName.of(table);
    } catch (IllegalArgumentException e) {
      throw text.mistake("table", "table: " + e.getMessage());
    }
  }

  private List<String> labels(Role role) {
    String key = key(LABELS, role);
    return text.has(key) ? List.of(text.required(key).split("\\s*,\\s*")) : List.of();
  }

  private void refuseUnknownKeys() {
    List<String> known = new ArrayList<>(STATUS_WORDS);
    known.addAll(List.of("table", "name", "lifecycle", DEAD_ROWS));
    known.addAll(
        List.of("retry.max-attempts", "retry.base-delay", "retry.max-delay", "retry.jitter"));
    known.addAll(LayoutSettingsText.keys());
    for (Role role : Role.values()) {
      known.add(key(COLUMN, role));
      if (text.has(key(COLUMN, role))) {
        known.add(key(LABELS, role));
      }
    }
    for (String key : text.keys()) {
      if (!known.contains(key)) {
        throw text.mistake(key, "unknown key " + key + Suggestion.didYouMean(key, known));
      }
    }
  }

  private static String key(String prefix, Role role) {
    return prefix + role.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Lifecycle lifecycle() {
    String word = text.required("lifecycle");
    if (!word.equals("status")) {
      STATUS_WORDS.forEach(key -> refuse(key, "status", word));
    }
    if (!word.equals("processed-flag")) {
      refuse(DEAD_ROWS, "processed-flag", word);
    }
    return switch (word) {
      case "status" -> status();
      case "published-at" -> new PublishedAt();
      case "processed-flag" ->
          new ProcessedFlag(text.value(DEAD_ROWS, LayoutFile::marksDead, false));
      case "leased" -> new Leased();
      case "claimed" ->
          throw text.mistake(
              "lifecycle",
              "lifecycle: claimed is the native table's own and cannot be adopted; choose one of "
                  + String.join(", ", LIFECYCLES));
      default ->
          throw text.mistake(
              "lifecycle",
              "lifecycle: '%s' is not one of %s%s"
                  .formatted(
                      word,
                      String.join(", ", LIFECYCLES),
                      Suggestion.didYouMean(word, LIFECYCLES)));
    };
  }

  private Status status() {
    String pending = text.required("status.pending");
    String delivered = text.required("status.delivered");
    String dead = text.required("status.dead");
    try {
      return new Status(pending, delivered, dead);
    } catch (IllegalArgumentException e) {
      throw text.mistake("status.pending", "status: " + e.getMessage());
    }
  }

  private void refuse(String key, String lifecycle, String given) {
    if (text.has(key)) {
      throw text.mistake(
          key,
          "%s goes with lifecycle = %s, not %s; leave it out".formatted(key, lifecycle, given));
    }
  }

  private static boolean marksDead(String word) {
    @Nullable Boolean marks = MARKS_DEAD.get(word);
    if (marks == null) {
      throw new IllegalArgumentException("is not keep or mark-processed");
    }
    return marks;
  }

  private RetryPolicy retryPolicy() {
    RetryPolicy usual = RetryPolicy.DEFAULT;
    int attempts = text.value("retry.max-attempts", LayoutFile::attempts, usual.maxAttempts());
    Duration base = text.value("retry.base-delay", DurationText::read, usual.baseDelay());
    Duration longest = text.value("retry.max-delay", DurationText::read, usual.maxDelay());
    double jitter = text.value("retry.jitter", LayoutFile::fraction, usual.jitter());
    try {
      return new RetryPolicy(attempts, base, longest, jitter);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("retry: " + e.getMessage(), e);
    }
  }

  private static int attempts(String number) {
    try {
      return switch (number) {
        case "unlimited" -> RetryPolicy.UNLIMITED;
        case LayoutSettingsText.REQUIRED -> RetryPolicy.DEFAULT.maxAttempts();
        default -> Integer.parseInt(number);
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("is not a whole number or unlimited", e);
    }
  }

  private static double fraction(String number) {
    try {
      return Double.parseDouble(number);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("is not a number from 0 to 1", e);
    }
  }
}
