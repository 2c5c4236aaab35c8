package dev.postcommit.server.cli;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.server.terminal.DecisionOptions;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Pause;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** The common part of pausing and resuming. */
abstract class PauseChangeCommand extends TableCommand {

  @Mixin private DecisionOptions options = new DecisionOptions();

  @Mixin private JsonOption json = new JsonOption();

  /** Applies the decision; returns whether it changed anything. */
  abstract boolean change(OutboxAdmin admin, Decision decision);

  /** Reports the result. */
  abstract String report(OutboxTable table, boolean changed, @Nullable Pause pause);

  @Override
  public final Integer call() {
    Decision decision = options.decision(this, false);
    OutboxTable table = table();
    OutboxAdmin admin = Databases.admin(table);
    boolean changed = change(admin, decision);
    Optional<Pause> pause = admin.paused();
    return json.print(
        this,
        TableJson.paused(table.layout(), changed, pause),
        List.of(report(table, changed, pause.orElse(null))));
  }
}
