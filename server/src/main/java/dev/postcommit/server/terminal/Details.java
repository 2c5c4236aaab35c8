package dev.postcommit.server.terminal;

import dev.postcommit.server.table.Texts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The details of one item, one per line; and the cells of lists. */
public final class Details {

  /** The longest text in a column of a list. */
  public static final int LONGEST_CELL = 60;

  private final List<String> lines = new ArrayList<>();

  /** A table of the oldest items, and how many there are if it does not show all. */
  public static <T> List<String> list(
      List<String> heading, List<T> items, Function<T, List<String>> row, long total) {
    List<String> lines = new ArrayList<>(Texts.table(heading, items, row));
    if (total > items.size()) {
      lines.add(
          String.format(
              Locale.ROOT, "the oldest %,d of %,d; --limit shows more", items.size(), total));
    }
    return lines;
  }

  /** A text from the table or a letter, cut to fit into a column. */
  public static String cell(@Nullable String text) {
    return Texts.cell(text, LONGEST_CELL);
  }

  /** A time in a column. */
  public static String cell(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Adds a line unless the value is null. */
  public Details line(String name, @Nullable Object value) {
    if (value != null) {
      lines.add("%-11s %s".formatted(name, Texts.printable(value.toString())));
    }
    return this;
  }

  /** Adds a line for each header. */
  public Details headers(Map<String, String> headers) {
    headers.forEach((name, value) -> line("header", name + ": " + value));
    return this;
  }

  /** Adds content: as text if possible, else in base64. */
  public Details content(String name, byte[] content) {
    Optional<String> text = Texts.decode(content);
    String kind = text.isPresent() ? "text" : "in base64";
    line(name, String.format(Locale.ROOT, "%,d bytes, %s", content.length, kind));
    lines.add(text.orElseGet(() -> Base64.getMimeEncoder().encodeToString(content)));
    return this;
  }

  public List<String> lines() {
    return lines;
  }
}
