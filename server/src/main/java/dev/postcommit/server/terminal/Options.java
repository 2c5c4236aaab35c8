package dev.postcommit.server.terminal;

import dev.postcommit.server.table.TimeText;
import dev.postcommit.settings.Setting;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.Suggestion;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/** Parses options that are not settings. */
public final class Options {
  private Options() {}

  public static Duration duration(CliCommand command, String option, String text) {
    try {
      return DurationText.read(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.spec().commandLine(), option + ": '" + text + "' " + e.getMessage(), e);
    }
  }

  /** A time as {@link TimeText} reads it. */
  static Instant time(CliCommand command, String option, String text) {
    try {
      return TimeText.read(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.spec().commandLine(), option + ": '" + text + "' " + e.getMessage(), e);
    }
  }

  /** A time, or null if none is given. */
  public static @Nullable Instant timeIfGiven(
      CliCommand command, String option, @Nullable String text) {
    return text == null ? null : time(command, option, text);
  }

  /** A value, parsed as that of a setting. */
  public static <T> T as(CliCommand command, Setting<T> setting, String text) {
    try {
      return setting.reader().read(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.spec().commandLine(), setting.flag() + ": '" + text + "' " + e.getMessage(), e);
    }
  }

  /** One of the constants of {@code type}, by its word. */
  public static <E extends Enum<E>> E choice(
      CliCommand command, String option, String text, Class<E> type) {
    Map<String, E> choices = new LinkedHashMap<>();
    Stream.of(type.getEnumConstants()).forEach(e -> choices.put(Setting.word(e), e));
    E choice = choices.get(text);
    if (choice == null) {
      throw new ParameterException(
          command.spec().commandLine(),
          "%s: '%s' is not one of %s%s"
              .formatted(
                  option,
                  text,
                  String.join(", ", choices.keySet()),
                  Suggestion.didYouMean(text, choices.keySet())));
    }
    return choice;
  }

  /** A limit of at least one. */
  public static int limit(CliCommand command, int limit) {
    if (limit < 1) {
      throw new ParameterException(
          command.spec().commandLine(),
          "--limit: '" + limit + "' is not a whole number of at least 1");
    }
    return limit;
  }
}
