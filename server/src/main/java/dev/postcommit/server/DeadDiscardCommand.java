package dev.postcommit.server;

import dev.postcommit.store.OutboxAdmin;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code postcommit dead discard}. */
@Command(
    name = "discard",
    customSynopsis =
        "postcommit dead discard <id>...|--all [--dry-run] [--yes] [--json] [<settings>]",
    description = {
      "Deletes dead events for good.",
      "",
      "If one of the ids is not that of a dead event, nothing is done."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  postcommit dead discard 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11",
      "  postcommit dead discard --all --dry-run",
      "  postcommit dead discard --all --yes",
      "",
      "Exit codes: 0 done, 1 no such dead event, not confirmed or the database failed, 2 wrong"
          + " usage or settings."
    })
final class DeadDiscardCommand extends DeadChangeCommand {

  DeadDiscardCommand(Console console) {
    super(console, "discard", "discarded");
  }

  @Override
  int change(OutboxAdmin admin, List<String> chunk) {
    return admin.discard(chunk);
  }
}
