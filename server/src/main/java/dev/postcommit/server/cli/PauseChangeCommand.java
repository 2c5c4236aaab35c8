package dev.postcommit.server.cli;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.Json;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.server.terminal.DecisionOptions;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Pause;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The common part of pausing and resuming. */
abstract class PauseChangeCommand extends TableCommand {

  @Mixin private DecisionOptions options = new DecisionOptions();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  PauseChangeCommand(Terminal terminal) {
    super(terminal);
  }

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
    if (json) {
      Json.print(terminal().out(), TableJson.paused(table.layout(), changed, pause));
    } else {
      terminal().out().println(report(table, changed, pause.orElse(null)));
    }
    return ExitCode.OK;
  }
}
