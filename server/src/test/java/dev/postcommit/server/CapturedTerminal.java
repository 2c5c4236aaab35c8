package dev.postcommit.server;

import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.server.terminal.Termination;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs commands in this process and keeps what they print. */
public final class CapturedTerminal {
  /** Who runs the commands. */
  public static final String USER = "grace";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment;
  private boolean interactive;
  private String answer = "";

  private CapturedTerminal(Map<String, String> environment) {
    this.environment = environment;
  }

  public static CapturedTerminal withEnvironment(Map<String, String> environment) {
    return new CapturedTerminal(environment);
  }

  public static CapturedTerminal withoutEnvironment() {
    return new CapturedTerminal(Map.of());
  }

  /** A person is there, and gives {@code answer} to each question. */
  public CapturedTerminal answering(String answer) {
    this.interactive = true;
    this.answer = answer + "\n";
    return this;
  }

  /** The exit code; output of earlier commands is forgotten. */
  public int run(String... args) {
    out.reset();
    err.reset();
    Terminal terminal =
        new Terminal(
            environment,
            USER,
            Path.of("no such directory"),
            new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            interactive,
            Termination.never());
    return Main.run(terminal, args);
  }

  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  public List<String> outLines() {
    return out().lines().toList();
  }

  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
