package dev.postcommit.server;

import java.util.Map;

/** A relay with settings from its flags alone, whatever the environment says. */
public final class RelayProcess {
  private RelayProcess() {}

  /** Runs the command {@code relay} and ends the process with its exit code. */
  public static void main(String[] args) {
    String[] command = new String[args.length + 1];
    command[0] = "relay";
    System.arraycopy(args, 0, command, 1, args.length);
    Console console = Console.ofProcess(Map.of());
    console.termination().exit(Main.run(console, command));
  }
}
