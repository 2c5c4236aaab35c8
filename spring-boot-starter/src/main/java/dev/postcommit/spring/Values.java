package dev.postcommit.spring;

import dev.postcommit.RetryPolicy;
import dev.postcommit.support.ByteText;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads and checks the values of settings; what is refused is named with its value. */
final class Values {
  private Values() {}

  static long bytes(String name, String text) {
    try {
      return ByteText.read(text);
    } catch (IllegalArgumentException e) {
      throw Given.invalid(name, text, "it " + e.getMessage());
    }
  }

  static int attempts(String name, String text) {
    try {
      int value = text.equals("unlimited") ? RetryPolicy.UNLIMITED : Integer.parseInt(text.strip());
      if (value >= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      // As bad as a number below one.
    }
    throw Given.invalid(name, text, "it is neither a whole number of at least 1 nor 'unlimited'");
  }

  static Duration durationOrOff(String name, String text) {
    try {
      return text.equals("off") || text.equals("0") ? Duration.ZERO : DurationText.read(text);
    } catch (IllegalArgumentException e) {
      throw Given.invalid(name, text, "it " + e.getMessage() + ", or 'off'");
    }
  }

  /** A duration of at least {@code least}; null if it is off. */
  static @Nullable Duration limitOrOff(String name, String text, Duration least) {
    if (text.equals("off")) {
      return null;
    }
    try {
      return atLeast(name, DurationText.read(text), least);
    } catch (IllegalArgumentException e) {
      throw Given.invalid(name, text, "it " + e.getMessage() + ", or 'off'");
    }
  }

  static int within(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw Given.invalid(name, value, "it is not from %d to %d".formatted(least, most));
    }
    return value;
  }

  static Duration atLeast(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0) {
      throw Given.invalid(
          name,
          DurationText.show(value),
          "it is shorter than %s".formatted(DurationText.show(least)));
    }
    return value;
  }
}
