package dev.postcommit.demo;

import dev.postcommit.demo.explore.ExploreCommand;
import dev.postcommit.demo.run.DemoCommand;
import dev.postcommit.demo.sandbox.SandboxServers;
import dev.postcommit.server.cli.Extras;
import dev.postcommit.server.terminal.Terminal;
import java.util.List;

/** The {@code postcommit} command, including the commands that start servers. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    dev.postcommit.server.Main.runProcess(args, terminal -> run(terminal, args));
  }

  static int run(Terminal terminal, String... args) {
    Extras extras =
        new Extras(List.of(new DemoCommand(), new ExploreCommand()), SandboxServers::start);
    return dev.postcommit.server.Main.run(terminal, extras, args);
  }
}
