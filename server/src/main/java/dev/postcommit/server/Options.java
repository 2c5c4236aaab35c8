package dev.postcommit.server;

import dev.postcommit.server.settings.Durations;
import java.time.Duration;
import picocli.CommandLine.ParameterException;

/** Reads options that are no settings. */
final class Options {
  private Options() {}

  static Duration duration(CliCommand command, String option, String text) {
    try {
      return Durations.read(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.spec().commandLine(), option + ": '" + text + "' " + e.getMessage(), e);
    }
  }
}
