package dev.postcommit.demo;

import dev.postcommit.server.cli.Extras;
import dev.postcommit.server.terminal.Terminal;
import java.util.List;

/** The {@code postcommit} command with all that needs servers of its own. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    dev.postcommit.server.Main.runProcess(args, terminal -> run(terminal, args));
  }

  static int run(Terminal terminal, String... args) {
    Extras extras =
        new Extras(
            List.of(new DemoCommand(terminal), new ExploreCommand(terminal)),
            SandboxServers::start);
    return dev.postcommit.server.Main.run(terminal, extras, args);
  }
}
