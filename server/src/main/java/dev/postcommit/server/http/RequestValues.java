package dev.postcommit.server.http;

import dev.postcommit.server.table.TimeText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parses the values of operators' requests. */
final class RequestValues {
  private RequestValues() {}

  /** Rejects characters that a text in Postgres cannot contain. */
  static String text(String name, String value) {
    if (value.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw RequestException.badRequest(
          name + " has a character that no text in the database has; leave that out");
    }
    return value;
  }

  static @Nullable String textIfGiven(String name, @Nullable String value) {
    return value == null ? null : text(name, value);
  }

  static @Nullable Instant timeIfGiven(String name, @Nullable String value) {
    return value == null ? null : parse(name, value, TimeText::read);
  }

  static <T> T parse(String name, String value, Function<String, T> reader) {
    try {
      return reader.apply(value);
    } catch (IllegalArgumentException e) {
      throw RequestException.badRequest("%s: '%s' %s".formatted(name, value, e.getMessage()));
    }
  }

  /** A number from one to {@code most}. */
  static int number(String name, String value, int most) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused as any other.
    }
    throw RequestException.badRequest(
        "%s: '%s' is not a whole number from 1 to %d".formatted(name, value, most));
  }
}
