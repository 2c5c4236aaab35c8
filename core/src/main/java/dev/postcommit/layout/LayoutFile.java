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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The description of an adopted table in a file of Java properties, in UTF-8.
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
 * <p>A column is its name and its type. {@code lifecycle} is status, published-at, processed-flag
 * or leased; {@code dead-rows} (keep or mark-processed) goes with processed-flag. {@code name},
 * {@code retry.max-attempts}, {@code retry.base-delay}, {@code retry.max-delay} and {@code
 * retry.jitter} may be left out.
 */
public final class LayoutFile {
  private static final String COLUMN = "column.";
  private static final List<String> LIFECYCLES =
      List.of("status", "published-at", "processed-flag", "leased");
  private static final List<String> STATUS_WORDS =
      List.of("status.pending", "status.delivered", "status.dead");
  private static final String DEAD_ROWS = "dead-rows";
  private static final Map<String, Boolean> MARKS_DEAD =
      Map.of("keep", false, "mark-processed", true);

  private final Map<String, String> entries;

  private LayoutFile(Map<String, String> entries) {
    this.entries = entries;
  }

  /**
   * The layout that {@code file} describes.
   *
   * @throws IllegalArgumentException if the description is not complete or not acceptable, with the
   *     file and the key
   * @throws PostcommitException if the file cannot be read
   */
  public static Layout read(Path file) {
    try {
      return new LayoutFile(UniqueProperties.read(Files.readString(file))).layout();
    } catch (NoSuchFileException e) {
      throw new PostcommitException("there is no file " + file, e);
    } catch (IOException e) {
      throw new PostcommitException("could not read " + file + ": " + e, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private Layout layout() {
    refuseUnknownKeys();
    LayoutBuilder builder = Layout.adopt(TableName.of(required("table")));
    @Nullable String name = entries.get("name");
    if (name != null) {
      builder.name(name);
    }
    for (Role role : Role.values()) {
      @Nullable String text = entries.get(key(role));
      if (text != null) {
        String[] parts = text.strip().split("\\s+", 2);
        if (parts.length < 2) {
          throw new IllegalArgumentException(
              "%s: '%s' is not a column and its type; write for example %s = %s text"
                  .formatted(key(role), text, key(role), parts[0]));
        }
        builder.column(role, parts[0], parts[1]);
      }
    }
    return builder.lifecycle(lifecycle()).retryPolicy(retryPolicy()).build();
  }

  private void refuseUnknownKeys() {
    List<String> known = new ArrayList<>(STATUS_WORDS);
    known.addAll(List.of("table", "name", "lifecycle", DEAD_ROWS));
    known.addAll(
        List.of("retry.max-attempts", "retry.base-delay", "retry.max-delay", "retry.jitter"));
    for (Role role : Role.values()) {
      known.add(key(role));
    }
    for (String key : entries.keySet()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(
            "unknown key " + key + Suggestion.didYouMean(key, known));
      }
    }
  }

  private static String key(Role role) {
    return COLUMN + role.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private String required(String key) {
    @Nullable String value = entries.get(key);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException("there is no " + key + "; add a line " + key + " = …");
    }
    return value.strip();
  }

  private Lifecycle lifecycle() {
    String word = required("lifecycle");
    if (!word.equals("status")) {
      STATUS_WORDS.forEach(key -> refuse(key, "status", word));
    }
    if (!word.equals("processed-flag")) {
      refuse(DEAD_ROWS, "processed-flag", word);
    }
    return switch (word) {
      case "status" ->
          new Status(
              required("status.pending"), required("status.delivered"), required("status.dead"));
      case "published-at" -> new PublishedAt();
      case "processed-flag" -> new ProcessedFlag(value(DEAD_ROWS, LayoutFile::marksDead, false));
      case "leased" -> new Leased();
      case "claimed" ->
          throw new IllegalArgumentException(
              "lifecycle: claimed is the native table's own and cannot be adopted; choose one of "
                  + String.join(", ", LIFECYCLES));
      default ->
          throw new IllegalArgumentException(
              "lifecycle: '%s' is not one of %s%s"
                  .formatted(
                      word,
                      String.join(", ", LIFECYCLES),
                      Suggestion.didYouMean(word, LIFECYCLES)));
    };
  }

  private void refuse(String key, String lifecycle, String given) {
    if (entries.containsKey(key)) {
      throw new IllegalArgumentException(
          "%s goes with lifecycle = %s, not %s; leave it out".formatted(key, lifecycle, given));
    }
  }

  private static boolean marksDead(String text) {
    @Nullable Boolean marks = MARKS_DEAD.get(text);
    if (marks == null) {
      throw new IllegalArgumentException("is not keep or mark-processed");
    }
    return marks;
  }

  private RetryPolicy retryPolicy() {
    RetryPolicy usual = RetryPolicy.DEFAULT;
    int attempts = value("retry.max-attempts", LayoutFile::attempts, usual.maxAttempts());
    Duration base = value("retry.base-delay", DurationText::read, usual.baseDelay());
    Duration longest = value("retry.max-delay", DurationText::read, usual.maxDelay());
    double jitter = value("retry.jitter", LayoutFile::fraction, usual.jitter());
    try {
      return new RetryPolicy(attempts, base, longest, jitter);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("retry: " + e.getMessage(), e);
    }
  }

  private static int attempts(String text) {
    try {
      return text.equals("unlimited") ? RetryPolicy.UNLIMITED : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("is not a whole number or unlimited", e);
    }
  }

  private static double fraction(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("is not a number from 0 to 1", e);
    }
  }

  private <T> T value(String key, Function<String, T> reader, T otherwise) {
    @Nullable String text = entries.get(key);
    if (text == null) {
      return otherwise;
    }
    try {
      return reader.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: '%s' %s".formatted(key, text, e.getMessage()), e);
    }
  }
}
