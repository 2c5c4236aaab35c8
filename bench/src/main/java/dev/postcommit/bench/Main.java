package dev.postcommit.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures the relay against a real Postgres and a real Kafka. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {DrainCommand.class, LatencyCommand.class},
    description = {
      "Measures the relay against a real Postgres (durable settings) and a real Kafka, both",
      "started for the purpose. Compare figures of one run with each other; machines are noisy."
    })
public final class Main {
  private Main() {}

  /** Runs one benchmark. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
