package dev.postcommit.server;

import dev.postcommit.server.console.Console;
import dev.postcommit.server.console.Termination;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs commands in this process and keeps what they print. */
public final class CapturedConsole {
  /** Who runs the commands. */
  public static final String USER = "grace";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment;
  private boolean terminal;
  private String answer = "";

  private CapturedConsole(Map<String, String> environment) {
    this.environment = environment;
  }

  public static CapturedConsole withEnvironment(Map<String, String> environment) {
    return new CapturedConsole(environment);
  }

  public static CapturedConsole withoutEnvironment() {
    return new CapturedConsole(Map.of());
  }

  /** A person is there, and gives {@code answer} to each question. */
  public CapturedConsole answering(String answer) {
    this.terminal = true;
    this.answer = answer + "\n";
    return this;
  }

  /** The exit code; output of earlier commands is forgotten. */
  public int run(String... args) {
    out.reset();
    err.reset();
    Console console =
        new Console(
            environment,
            USER,
            Path.of("no such directory"),
            new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            terminal,
            Termination.never());
    return Main.run(console, args);
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
