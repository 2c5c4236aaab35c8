package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.server.terminal.Termination;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs commands in this process and keeps what they print. */
final class CapturedTerminal {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Runs a command and returns its exit code; forgets the output of earlier ones. */
  int run(String... args) {
    out.reset();
    err.reset();
    return Main.run(
        new Terminal(
            Map.of(),
            "grace",
            Path.of("no such directory"),
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            Termination.never()),
        args);
  }

  /** Runs a command that is to be refused with one line that contains {@code message}. */
  void assertRefused(String message, String... args) {
    assertThat(run(args)).as(message).isEqualTo(2);
    assertThat(out()).isEmpty();
    assertThat(err()).hasLineCount(1).contains(message);
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  List<String> outLines() {
    return out().lines().toList();
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
