package dev.postcommit.server.cli.dead;

import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.Options;
import dev.postcommit.store.DeadFilter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags that say which dead events are meant; an event is if it satisfies all that are given.
 */
final class DeadFilterOptions {

  @Option(
      names = "--type",
      order = -2,
      paramLabel = "<type>",
      description = "Only dead events of this type.")
  private @Nullable String type;

  @Option(
      names = "--topic",
      order = -2,
      paramLabel = "<topic>",
      description = "Only those recorded for this topic.")
  private @Nullable String topic;

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
      description = "Only those whose last error contains this text.")
  private @Nullable String error;

  @Option(
      names = "--from",
      order = -2,
      paramLabel = "<time>",
      description =
          "Only those written at this time or later, as 2026-01-31T12:00:00Z or 2026-01-31.")
  private @Nullable String from;

  @Option(
      names = "--before",
      order = -2,
      paramLabel = "<time>",
      description = "Only those written before this time.")
  private @Nullable String before;

  /** The filter that the flags of {@code command} make; all dead events if none is given. */
  DeadFilter filter(CliCommand command) {
    return new DeadFilter(
        null,
        type,
        topic,
        key,
        error,
        Options.timeIfGiven(command, "--from", from),
        Options.timeIfGiven(command, "--before", before));
  }
}
