package dev.postcommit.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures relay and consumer against a real Postgres and a real Kafka. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {DrainCommand.class, LatencyCommand.class, ConsumeCommand.class},
    description = {
      "Measures relay and consumer against real servers (Postgres with durable settings), all",
      "started for the purpose. Compare figures of one run with each other; machines are noisy."
    })
public final class Main {
  private Main() {}

  /** Runs one benchmark. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
