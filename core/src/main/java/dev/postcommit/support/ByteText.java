package dev.postcommit.support;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as people write them: {@code 8388608}, {@code 8192KiB}, {@code 8MiB}. */
public final class ByteText {
  private static final Pattern BYTES = Pattern.compile("(\\d{1,12})\\s*(|kib|mib|gib)");
  private static final Map<String, Long> UNITS =
      Map.of("", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30);

  private ByteText() {}

  /**
   * Reads a number of bytes.
   *
   * @throws IllegalArgumentException if it is none, or not above zero
   */
  public static long read(String text) {
    Matcher matcher = BYTES.matcher(text.strip().toLowerCase(Locale.ROOT));
    long value =
        matcher.matches()
            ? Long.parseLong(matcher.group(1)) * UNITS.getOrDefault(matcher.group(2), 1L)
            : 0;
    if (value < 1) {
      throw new IllegalArgumentException(
          "is not a number of bytes above zero; write 8388608, 8192KiB or 8MiB");
    }
    return value;
  }
}
