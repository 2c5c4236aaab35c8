package dev.postcommit.server;

import dev.postcommit.server.cli.Commands;
import dev.postcommit.server.cli.Extras;
import dev.postcommit.server.console.Console;
import dev.postcommit.server.logging.Logs;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/** The {@code postcommit} command. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    runProcess(args, console -> run(console, args));
  }

  /** Runs a command on the console of this process, and ends the process with its exit code. */
  public static void runProcess(String[] args, ToIntFunction<Console> command) {
    boolean logs = args.length > 0 && args[0].equals("relay");
    boolean verbose = Arrays.asList(args).contains("--verbose");
    if (!verbose) {
      Logs.quietDriver();
    }
    if (!logs && !verbose) {
      Logs.switchOff();
    }
    Console console = Console.ofProcess(System.getenv());
    console.termination().exit(command.applyAsInt(console));
  }

  /** Runs one command and returns its exit code. */
  public static int run(Console console, String... args) {
    return run(console, Extras.none(), args);
  }

  /** Runs one command of a command line with {@code extras}, and returns its exit code. */
  public static int run(Console console, Extras extras, String... args) {
    return Commands.line(console, extras).execute(args);
  }
}
