package dev.postcommit.server.table;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Times and ages as people write and read them. */
public final class TimeText {
  private TimeText() {}

  /**
   * Parses a time such as {@code 2026-01-31T12:00:00Z}, or a day such as {@code 2026-01-31}, which
   * begins in UTC.
   *
   * @throws IllegalArgumentException saying what a time looks like
   */
  public static Instant read(String text) {
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "is not a time; write 2026-01-31T12:00:00Z or 2026-01-31", e);
    }
  }

  /** An age, rounded: {@code 340ms}, {@code 4.2s}, {@code 3m 5s}. */
  public static String age(Duration age) {
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
