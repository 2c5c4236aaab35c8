package dev.postcommit.server;

import dev.postcommit.store.OutboxAdmin;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code postcommit dead replay}. */
@Command(
    name = "replay",
    customSynopsis =
        "postcommit dead replay <id>...|--all [--dry-run] [--yes] [--json] [<settings>]",
    description = {
      "Makes dead events pending again, with all their attempts before them.",
      "",
      "Later events of their keys may have been delivered in the meantime, so a replayed event can"
          + " arrive after them. If one of the ids is not that of a dead event, nothing is done."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  postcommit dead replay 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11",
      "  postcommit dead replay --all --dry-run",
      "  postcommit dead replay --all --yes",
      "",
      "Exit codes: 0 done, 1 no such dead event, not confirmed or the database failed, 2 wrong"
          + " usage or settings."
    })
final class DeadReplayCommand extends DeadChangeCommand {

  DeadReplayCommand(Console console) {
    super(console, "replay", "replayed");
  }

  @Override
  int change(OutboxAdmin admin, List<String> chunk) {
    return admin.replay(chunk);
  }
}
