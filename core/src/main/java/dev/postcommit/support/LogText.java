package dev.postcommit.support;

import org.jspecify.annotations.Nullable;

/**
 * Text from events, errors and operators, made fit for a log: a line break in it would let whoever
 * wrote it forge lines, and a terminal that shows the log would do what an escape sequence says.
 */
public final class LogText {
  private LogText() {}

  /** The text of a value on one line, with escapes such as {@code \n} for {@link #isControl}. */
  public static String line(@Nullable Object value) {
    String text = String.valueOf(value);
    for (int i = 0; i < text.length(); i++) {
      if (isControl(text.charAt(i))) {
        return escaped(text);
      }
    }
    return text;
  }

  /**
   * Whether a letter ends a line, controls a terminal, or changes the direction in which the rest
   * is shown.
   */
  public static boolean isControl(int letter) {
    return Character.isISOControl(letter)
        || (letter >= 0x2028 && letter <= 0x202e)
        || (letter >= 0x2066 && letter <= 0x2069);
  }

  private static String escaped(String text) {
    StringBuilder line = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> {
          if (isControl(letter)) {
            line.append("\\u%04x".formatted((int) letter));
          } else {
            line.append(letter);
          }
        }
      }
    }
    return line.toString();
  }
}
