package dev.postcommit.server;

import java.util.Arrays;

/** The {@code postcommit} command. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    boolean logs = args.length > 0 && args[0].equals("relay");
    if (!logs && !Arrays.asList(args).contains("--verbose")) {
      Logs.switchOff();
    }
    Console console = Console.ofProcess(System.getenv());
    console.termination().exit(run(console, args));
  }

  /** Runs one command and returns its exit code. */
  public static int run(Console console, String... args) {
    return Commands.line(console).execute(args);
  }
}
