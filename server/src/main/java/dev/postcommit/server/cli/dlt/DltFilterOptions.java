package dev.postcommit.server.cli.dlt;

import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.server.console.CliCommand;
import dev.postcommit.server.console.Options;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say which letters are meant; a letter is if it satisfies all that are given. */
final class DltFilterOptions {

  @Option(
      names = "--type",
      order = -2,
      paramLabel = "<type>",
      description = "Only letters of events of this type.")
  private @Nullable String type;

  @Option(
      names = "--consumer",
      order = -2,
      paramLabel = "<name>",
      description = "Only those of this consumer.")
  private @Nullable String consumer;

  @Option(
      names = "--key",
      order = -2,
      paramLabel = "<key>",
      description = "Only those of this key.")
  private @Nullable String key;

  @Option(
      names = "--error",
      order = -2,
      paramLabel = "<text>",
      description = "Only those whose error contains this text.")
  private @Nullable String error;

  @Option(
      names = "--from",
      order = -2,
      paramLabel = "<time>",
      description =
          "Only those given up at this time or later, as 2026-01-31T12:00:00Z or 2026-01-31.")
  private @Nullable String from;

  @Option(
      names = "--before",
      order = -2,
      paramLabel = "<time>",
      description = "Only those given up before this time.")
  private @Nullable String before;

  /** The filter that the flags of {@code command} make; all letters if none is given. */
  KafkaDeadLetterFilter filter(CliCommand command) {
    return new KafkaDeadLetterFilter(
        null,
        type,
        consumer,
        key,
        error,
        Options.timeIfGiven(command, "--from", from),
        Options.timeIfGiven(command, "--before", before));
  }
}
