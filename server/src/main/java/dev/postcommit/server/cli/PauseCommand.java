package dev.postcommit.server.cli;

import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.TableStatus;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Pause;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code postcommit pause}. */
@Command(
    name = "pause",
    customSynopsis = "postcommit pause [--reason <text>] [--operator <name>] [--json] [<settings>]",
    description = {
      "Pauses all relays of the outbox table, until 'postcommit resume'.",
      "",
      "Every relay, in whatever process, notices within a few seconds, stops claiming and finishes"
          + " the events in flight. A relay started meanwhile claims nothing. Events can still be"
          + " written. 'postcommit status' shows who paused the table and why."
    },
    footer = {
      "  postcommit pause --reason 'broker upgrade until 15:00'",
      "  postcommit pause --layout packfinderz --operator ada",
      "",
      "Exit codes: 0 paused, even if it already was, 1 the database failed, 2 wrong usage or"
          + " settings."
    })
final class PauseCommand extends PauseChangeCommand {

  @Override
  boolean change(OutboxAdmin admin, Decision decision) {
    return admin.pause(decision);
  }

  @Override
  String report(OutboxTable table, boolean changed, @Nullable Pause pause) {
    if (changed) {
      return table + " is paused; relays claim nothing more within a few seconds";
    }
    String who = pause == null ? "" : ", " + TableStatus.by(pause) + " (since " + pause.at() + ")";
    return table + " is paused already" + who;
  }
}
