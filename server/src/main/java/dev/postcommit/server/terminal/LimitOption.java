package dev.postcommit.server.terminal;

import picocli.CommandLine.Option;

/** The option {@code --limit} of commands that list something. */
public final class LimitOption {

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      description = "The most items to list. Default: ${DEFAULT-VALUE}.")
  private int limit = 50;

  /** The limit, at least one. */
  public int of(CliCommand command) {
    if (limit < 1) {
      throw command.wrongUsage("--limit: '" + limit + "' is not a whole number of at least 1");
    }
    return limit;
  }
}
