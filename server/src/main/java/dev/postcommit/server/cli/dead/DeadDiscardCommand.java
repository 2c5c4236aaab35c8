package dev.postcommit.server.cli.dead;

import dev.postcommit.server.table.DeadChange;
import picocli.CommandLine.Command;

/** {@code postcommit dead discard}. */
@Command(
    name = "discard",
    customSynopsis =
        "postcommit dead discard <id>...|<filter>|--all --reason <text> [--dry-run] [--yes]"
            + " [--json] [<settings>]",
    description = {
      "Deletes dead events permanently.",
      "",
      "If one of the ids is not that of a dead event, nothing is done. The audit table records which"
          + " event was discarded, by whom and why; see 'postcommit dead audit'."
    },
    footer = {
      "  postcommit dead discard 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11 --reason 'a test order'",
      "  postcommit dead discard --type order.tested --before 2026-02-01 --dry-run",
      "  postcommit dead discard --all --yes --reason 'the customer is gone'",
      "",
      "Exit codes: 0 done, 1 no such dead event, not confirmed or the database failed, 2 wrong"
          + " usage or settings."
    })
final class DeadDiscardCommand extends DeadChangeCommand {

  DeadDiscardCommand() {
    super(DeadChange.DISCARD);
  }
}
