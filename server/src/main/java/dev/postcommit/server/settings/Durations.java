package dev.postcommit.server.settings;

import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.Locale;

/**
 * Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 30d}.
 */
public final class Durations {
  private Durations() {}

  /**
   * Reads a short or an ISO duration.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Duration read(String text) {
    return DurationText.read(text);
  }

  /** The shortest exact form, as {@code 90s} or {@code 30d}; what has no short form is in ISO. */
  public static String show(Duration duration) {
    return DurationText.show(duration);
  }

  /** An age to the precision a person wants: {@code 340ms}, {@code 4.2s}, {@code 3m 5s}. */
  public static String round(Duration age) {
    if (age.compareTo(Duration.ofSeconds(1)) < 0) {
      return age.toMillis() + "ms";
    }
    if (age.compareTo(Duration.ofMinutes(1)) < 0) {
      return String.format(Locale.ROOT, "%.1fs", age.toMillis() / 1000.0);
    }
    if (age.compareTo(Duration.ofHours(1)) < 0) {
      return age.toMinutes() + "m " + age.toSecondsPart() + "s";
    }
    return age.compareTo(Duration.ofDays(1)) < 0
        ? age.toHours() + "h " + age.toMinutesPart() + "m"
        : age.toDays() + "d " + age.toHoursPart() + "h";
  }
}
