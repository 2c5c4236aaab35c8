package dev.postcommit.server.terminal;

import dev.postcommit.store.Decision;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say who decides, and why. */
public final class DecisionOptions {

  @Option(
      names = "--reason",
      paramLabel = "<text>",
      description = "Why; recorded with the decision.")
  private @Nullable String reason;

  @Option(
      names = "--operator",
      paramLabel = "<name>",
      description = "Who decides; recorded with the decision. Default: the operating-system user.")
  private @Nullable String operator;

  /** The decision to record. */
  public Decision decision(CliCommand command, boolean needsReason) {
    String who = operator == null ? command.terminal().user() : operator;
    if (who.isBlank()) {
      throw command.wrongUsage("--operator: say who decides; it is kept");
    }
    if (reason == null ? needsReason : reason.isBlank()) {
      throw command.wrongUsage("--reason: say why; it is kept");
    }
    return new Decision(who, reason);
  }
}
