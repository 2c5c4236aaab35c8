package dev.postcommit.server.cli.dead;

import dev.postcommit.server.table.DeadChange;
import picocli.CommandLine.Command;

/** {@code postcommit dead replay}. */
@Command(
    name = "replay",
    customSynopsis =
        "postcommit dead replay <id>...|<filter>|--all [--reason <text>] [--dry-run] [--yes]"
            + " [--json] [<settings>]",
    description = {
      "Makes dead events pending again, with a full number of attempts.",
      "",
      "Later events of their keys may have been delivered in the meantime, so a replayed event can"
          + " arrive after them. If one of the ids is not that of a dead event, nothing is done. The"
          + " audit table records who replayed what; see 'postcommit dead audit'."
    },
    footer = {
      "  postcommit dead replay 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11",
      "  postcommit dead replay --error 'too large' --from 2026-01-31 --dry-run",
      "  postcommit dead replay --all --yes --reason 'the broker takes larger messages now'",
      "",
      "Exit codes: 0 done, 1 no such dead event, not confirmed or the database failed, 2 wrong"
          + " usage or settings."
    })
final class DeadReplayCommand extends DeadChangeCommand {

  DeadReplayCommand() {
    super(DeadChange.REPLAY);
  }
}
