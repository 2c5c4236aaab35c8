package dev.postcommit.server.table;

import dev.postcommit.support.LogText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes text from the table safe for terminals and logs. */
public final class Texts {
  private Texts() {}

  /** {@code text} on one line without control characters, cut to {@code longest}; - for null. */
  public static String cell(@Nullable String text, int longest) {
    if (text == null) {
      return "-";
    }
    String line = printable(text);
    return line.length() <= longest ? line : line.substring(0, longest - 3) + "...";
  }

  /** {@code text} on one line, with blanks for control characters; - for null. */
  public static String printable(@Nullable String text) {
    if (text == null) {
      return "-";
    }
    StringBuilder line = new StringBuilder(text.length());
    boolean blank = false;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      boolean control = LogText.isControl(letter);
      if (!control || !blank) {
        line.append(control ? ' ' : letter);
      }
      blank = control;
    }
    return line.toString();
  }

  /** The text of UTF-8 {@code bytes}; empty if they are not UTF-8 or unsafe for a terminal. */
  public static Optional<String> decode(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      boolean harmless =
          text.codePoints().allMatch(c -> !LogText.isControl(c) || "\n\r\t".indexOf(c) >= 0);
      return harmless ? Optional.of(text) : Optional.empty();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** A heading and a line for each item, with aligned columns. */
  public static <T> List<String> table(
      List<String> heading, List<T> items, Function<T, List<String>> row) {
    return table(Stream.concat(Stream.of(heading), items.stream().map(row)).toList());
  }

  /** Lines with aligned columns. */
  static List<String> table(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
