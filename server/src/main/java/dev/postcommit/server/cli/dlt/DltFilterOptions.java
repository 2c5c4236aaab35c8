package dev.postcommit.server.cli.dlt;

import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.FilterOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select letters. */
final class DltFilterOptions extends FilterOptions {

  @Option(
      names = "--consumer",
      paramLabel = "<name>",
      description = "Only letters of this consumer.")
  private @Nullable String consumer;

  /** The selected letters; all if no option is given. */
  KafkaDeadLetterFilter filter(CliCommand command) {
    return new KafkaDeadLetterFilter(
        null, type, consumer, key, error, from(command), before(command));
  }
}
