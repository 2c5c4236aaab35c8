package dev.postcommit.server.table;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;

/** Times as people write them. */
public final class Times {
  private Times() {}

  /**
   * Reads a time as {@code 2026-01-31T12:00:00Z}, or a day as {@code 2026-01-31}, which begins in
   * UTC.
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
}
