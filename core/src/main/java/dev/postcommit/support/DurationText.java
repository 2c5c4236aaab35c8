package dev.postcommit.support;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 30d}.
 */
public final class DurationText {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");

  private DurationText() {}

  /**
   * Reads a short or an ISO duration.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Duration read(String text) {
    Matcher matcher = SHORT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      return unit(matcher.group(2)).multipliedBy(Long.parseLong(matcher.group(1)));
    }
    try {
      return Duration.parse(text.strip());
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "is not a duration; write 500ms, 30s, 5m, 2h, 30d or ISO as PT30S", e);
    }
  }

  /** The shortest exact form, as {@code 90s} or {@code 30d}; what has no short form is in ISO. */
  public static String show(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    for (String unit : new String[] {"d", "h", "m", "s", "ms"}) {
      long count = duration.dividedBy(unit(unit));
      if (unit(unit).multipliedBy(count).equals(duration)) {
        return count + unit;
      }
    }
    return duration.toString();
  }

  /** For people, to the precision they want: {@code 600 ms}, {@code 4.2 s}, {@code 3 min 5 s}. */
  public static String spoken(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < 1) {
      return duration.toMillis() + " ms";
    }
    if (seconds < 60) {
      long tenths = duration.toMillis() / 100;
      return tenths % 10 == 0 ? seconds + " s" : seconds + "." + tenths % 10 + " s";
    }
    if (seconds < 3600) {
      return two(seconds / 60, "min", seconds % 60, "s");
    }
    return seconds < 86_400
        ? two(seconds / 3600, "h", seconds / 60 % 60, "min")
        : two(seconds / 86_400, "d", seconds / 3600 % 24, "h");
  }

  private static String two(long many, String unit, long rest, String smaller) {
    return many + " " + unit + (rest == 0 ? "" : " " + rest + " " + smaller);
  }

  /** One of the unit {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}. */
  public static Duration unit(String name) {
    return switch (name) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      default -> throw new IllegalArgumentException(name);
    };
  }
}
