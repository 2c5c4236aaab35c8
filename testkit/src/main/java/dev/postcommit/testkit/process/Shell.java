package dev.postcommit.testkit.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs short commands to completion. */
public final class Shell {

  private Shell() {}

  /** Returns whether {@code sh} can run {@code script} and exits with zero. */
  public static boolean succeeds(String script, String... arguments) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      return exitCode(process) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Runs {@code command} with {@code input} and fails with its output unless it exits with zero.
   */
  public static void run(List<String> command, InputStream input) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (OutputStream stdin = process.getOutputStream()) {
        input.transferTo(stdin);
      }
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int exitCode = exitCode(process);
      if (exitCode != 0) {
        throw new IllegalStateException(
            "%s exited with %d: %s".formatted(String.join(" ", command), exitCode, output));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not run " + String.join(" ", command), e);
    }
  }

  public static void run(List<String> command) {
    run(command, InputStream.nullInputStream());
  }

  private static int exitCode(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a command", e);
    }
  }
}
