package dev.postcommit.server;

import dev.postcommit.server.cli.Commands;
import dev.postcommit.server.cli.Extras;
import dev.postcommit.server.logging.Logs;
import dev.postcommit.server.terminal.Terminal;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/** The {@code postcommit} command. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    runProcess(args, terminal -> run(terminal, args));
  }

  /** Runs a command on the terminal of this process, and ends the process with its exit code. */
  public static void runProcess(String[] args, ToIntFunction<Terminal> command) {
    boolean logs = args.length > 0 && args[0].equals("relay");
    boolean verbose = Arrays.asList(args).contains("--verbose");
    if (!verbose) {
      Logs.quietDriver();
    }
    if (!logs && !verbose) {
      Logs.switchOff();
    }
    Terminal terminal = Terminal.ofProcess(System.getenv());
    terminal.termination().exit(command.applyAsInt(terminal));
  }

  /** Runs one command and returns its exit code. */
  public static int run(Terminal terminal, String... args) {
    return run(terminal, Extras.none(), args);
  }

  /** Runs one command of a command line with {@code extras}, and returns its exit code. */
  public static int run(Terminal terminal, Extras extras, String... args) {
    return Commands.line(terminal, extras).execute(args);
  }
}
