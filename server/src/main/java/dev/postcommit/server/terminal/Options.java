package dev.postcommit.server.terminal;

import dev.postcommit.server.table.TimeText;
import dev.postcommit.settings.Readers;
import dev.postcommit.settings.Setting;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parses options that are not settings. */
public final class Options {
  private Options() {}

  public static Duration duration(CliCommand command, String option, String text) {
    return parse(command, option, text, DurationText::read);
  }

  /** A time as {@link TimeText} reads it, or null if none is given. */
  public static @Nullable Instant timeIfGiven(
      CliCommand command, String option, @Nullable String text) {
    return text == null ? null : parse(command, option, text, TimeText::read);
  }

  /** A value, parsed as that of a setting. */
  public static <T> T as(CliCommand command, Setting<T> setting, String text) {
    return parse(command, setting.flag(), text, setting.reader()::read);
  }

  /** One of the constants of {@code type}, by its word. */
  public static <E extends Enum<E>> E choice(
      CliCommand command, String option, String text, Class<E> type) {
    return parse(command, option, text, Readers.choice(type)::read);
  }

  private static <T> T parse(
      CliCommand command, String option, String text, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw command.wrongUsage(option + ": '" + text + "' " + e.getMessage());
    }
  }
}
