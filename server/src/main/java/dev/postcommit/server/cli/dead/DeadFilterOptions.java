package dev.postcommit.server.cli.dead;

import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.FilterOptions;
import dev.postcommit.store.DeadFilter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select dead events. */
final class DeadFilterOptions extends FilterOptions {

  @Option(
      names = "--topic",
      paramLabel = "<topic>",
      description = "Only events recorded for this topic.")
  private @Nullable String topic;

  /** The selected dead events; all if no option is given. */
  DeadFilter filter(CliCommand command) {
    return new DeadFilter(null, type, topic, key, error, from(command), before(command));
  }
}
