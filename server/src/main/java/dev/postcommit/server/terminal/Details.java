package dev.postcommit.server.terminal;

import dev.postcommit.server.table.Texts;
import java.io.PrintStream;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prints lists, and the details of one item. */
public final class Details {

  /** The longest text in a column of a list. */
  public static final int LONGEST_CELL = 60;

  private Details() {}

  /** Prints a list of the oldest items, with a heading in the first row, and the total. */
  public static void list(PrintStream out, List<List<String>> rows, long total) {
    Texts.table(rows).forEach(out::println);
    int shown = rows.size() - 1;
    if (total > shown) {
      out.printf(Locale.ROOT, "the oldest %,d of %,d; --limit shows more%n", shown, total);
    }
  }

  /** Prints a line unless the value is null. */
  public static void line(PrintStream out, String name, @Nullable Object value) {
    if (value != null) {
      out.printf("%-11s %s%n", name, Texts.printable(value.toString()));
    }
  }

  /** Prints a line for each header. */
  public static void headers(PrintStream out, Map<String, String> headers) {
    headers.forEach((name, value) -> line(out, "header", name + ": " + value));
  }

  /** Prints content: as text if possible, else in base64. */
  public static void content(PrintStream out, String name, byte[] content) {
    Optional<String> text = Texts.decode(content);
    String kind = text.isPresent() ? "text" : "in base64";
    line(out, name, String.format(Locale.ROOT, "%,d bytes, %s", content.length, kind));
    out.println(text.orElseGet(() -> Base64.getMimeEncoder().encodeToString(content)));
  }
}
