package dev.postcommit.server.terminal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select events or letters; those that satisfy all given options are selected. */
public abstract class FilterOptions {

  @Option(names = "--type", paramLabel = "<type>", description = "Only events of this type.")
  protected @Nullable String type;

  @Option(names = "--key", paramLabel = "<key>", description = "Only events with this key.")
  protected @Nullable String key;

  @Option(
      names = "--error",
      paramLabel = "<text>",
      description = "Only events whose last error contains this text.")
  protected @Nullable String error;

  @Option(
      names = "--from",
      paramLabel = "<time>",
      description = {
        "Only events of this time or later, such as 2026-01-31T12:00:00Z or 2026-01-31: when a dead"
            + " event was written, or a letter given up."
      })
  private @Nullable String from;

  @Option(names = "--before", paramLabel = "<time>", description = "Only events before this time.")
  private @Nullable String before;

  protected final @Nullable Instant from(CliCommand command) {
    return Options.timeIfGiven(command, "--from", from);
  }

  protected final @Nullable Instant before(CliCommand command) {
    return Options.timeIfGiven(command, "--before", before);
  }
}
