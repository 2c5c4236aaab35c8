package dev.postcommit.server.cli.dlt;

import dev.postcommit.server.terminal.CliCommand;
import picocli.CommandLine.Command;

/** {@code postcommit dlt} without a command. */
@Command(
    name = "dlt",
    customSynopsis = "postcommit dlt <command> --topic <topic> [<options>]",
    description = {
      "Lists, shows and replays the letters of a dead-letter topic.",
      "",
      "A consumer that gives up on an event sends it, with the reason, to a topic named like the"
          + " original with .dlt added. The letter is open until someone replays it."
    },
    subcommands = {DltListCommand.class, DltShowCommand.class, DltReplayCommand.class},
    footer = {
      "  postcommit dlt list --topic orders",
      "  postcommit dlt show 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11 --topic orders",
      "  postcommit dlt replay --topic orders --consumer inventory-service --dry-run"
    })
public final class DltCommand extends CliCommand {

  @Override
  public Integer call() {
    throw wrongUsage("give a command: list, show or replay");
  }
}
