package dev.postcommit.server;

import dev.postcommit.server.settings.Durations;
import dev.postcommit.server.settings.Setting;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/** Reads options that are no settings. */
public final class Options {
  private Options() {}

  static Duration duration(CliCommand command, String option, String text) {
    try {
      return Durations.read(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.spec().commandLine(), option + ": '" + text + "' " + e.getMessage(), e);
    }
  }

  /** A time as {@link Times} reads it. */
  static Instant time(CliCommand command, String option, String text) {
    try {
      return Times.read(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.spec().commandLine(), option + ": '" + text + "' " + e.getMessage(), e);
    }
  }

  /** A time, or null if none is given. */
  static @Nullable Instant timeIfGiven(CliCommand command, String option, @Nullable String text) {
    return text == null ? null : time(command, option, text);
  }

  /** A value as the setting of that name reads it. */
  public static <T> T as(CliCommand command, Setting<T> setting, String text) {
    try {
      return setting.reader().read(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.spec().commandLine(), setting.flag() + ": '" + text + "' " + e.getMessage(), e);
    }
  }

  /** A limit of at least one. */
  static int limit(CliCommand command, int limit) {
    if (limit < 1) {
      throw new ParameterException(
          command.spec().commandLine(),
          "--limit: '" + limit + "' is not a whole number of at least 1");
    }
    return limit;
  }
}
