package dev.postcommit.testkit.explorer.gate;

import java.util.ArrayList;
import java.util.List;

/** Splits SQL texts. */
final class StatementText {
  private StatementText() {}

  /** Returns the statements of a text, without semicolons. */
  static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    boolean isQuoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'') {
        isQuoted = !isQuoted;
      } else if (c == ';' && !isQuoted) {
        add(parts, text.substring(from, i));
        from = i + 1;
      }
    }
    add(parts, text.substring(from));
    return parts;
  }

  private static void add(List<String> parts, String part) {
    if (!part.isBlank()) {
      parts.add(part.strip());
    }
  }

  /** Returns the number of parameters of a statement. */
  static int parameters(String text) {
    int count = 0;
    boolean isQuoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'') {
        isQuoted = !isQuoted;
      } else if (c == '?' && !isQuoted) {
        count++;
      }
    }
    return count;
  }
}
