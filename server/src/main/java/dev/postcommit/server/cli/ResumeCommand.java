package dev.postcommit.server.cli;

import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Pause;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code postcommit resume}. */
@Command(
    name = "resume",
    customSynopsis =
        "postcommit resume [--reason <text>] [--operator <name>] [--json] [<settings>]",
    description = {
      "Resumes the relays of the outbox table after 'postcommit pause'.",
      "",
      "Every relay notices within a few seconds."
    },
    footer = {
      "  postcommit resume",
      "  postcommit resume --reason 'upgrade done' --json",
      "",
      "Exit codes: 0 resumed, even if it was not paused, 1 the database failed, 2 wrong"
          + " usage or settings."
    })
final class ResumeCommand extends PauseChangeCommand {

  @Override
  boolean change(OutboxAdmin admin, Decision decision) {
    return admin.resume(decision);
  }

  @Override
  String report(OutboxTable table, boolean changed, @Nullable Pause pause) {
    return changed
        ? table + " is resumed; relays go on within a few seconds"
        : table + " was not paused";
  }
}
