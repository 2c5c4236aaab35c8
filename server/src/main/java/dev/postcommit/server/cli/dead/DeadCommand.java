package dev.postcommit.server.cli.dead;

import dev.postcommit.server.terminal.CliCommand;
import picocli.CommandLine.Command;

/** {@code postcommit dead} without a command. */
@Command(
    name = "dead",
    customSynopsis = "postcommit dead <command> [<options>]",
    description = {
      "Lists, shows, replays and discards dead events, and shows who did so.",
      "",
      "An event is dead when the broker rejected it permanently or its attempts are used up. It stays"
          + " in the table until someone replays or discards it; later events of its key are delivered"
          + " without it."
    },
    subcommands = {
      DeadListCommand.class,
      DeadShowCommand.class,
      DeadReplayCommand.class,
      DeadDiscardCommand.class,
      DeadAuditCommand.class
    },
    footer = {
      "  postcommit dead list",
      "  postcommit dead show 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11",
      "  postcommit dead replay --error timeout --dry-run",
      "  postcommit dead audit"
    })
public final class DeadCommand extends CliCommand {

  @Override
  public Integer call() {
    throw wrongUsage("give a command: list, show, replay, discard or audit");
  }
}
