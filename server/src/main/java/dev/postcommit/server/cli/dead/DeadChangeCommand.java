package dev.postcommit.server.cli.dead;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.DeadChange;
import dev.postcommit.server.table.DeadChange.Chosen;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.terminal.ChangeOptions;
import dev.postcommit.server.terminal.ChangeOptions.Words;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadReason;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;

/** The common part of replaying and discarding: selection, confirmation and report. */
abstract class DeadChangeCommand extends TableCommand {
  private static final String NOUN = "dead event";

  /** The most reasons that a dry run counts. */
  private static final int REASONS = 20;

  /** The number of events after which it reports progress. */
  private static final int STEP = 10_000;

  @Mixin private DeadFilterOptions options = new DeadFilterOptions();

  @Mixin private ChangeOptions change = new ChangeOptions();

  private final DeadChange kind;

  DeadChangeCommand(DeadChange kind) {
    this.kind = kind;
  }

  @Override
  public final Integer call() throws IOException {
    DeadFilter filter = options.filter(this);
    change.checkChoice(this, !filter.equals(DeadFilter.all()), NOUN);
    Decision decision = change.decision(this, kind.needsReason());
    OutboxTable table = table();
    OutboxAdmin admin = Databases.admin(table);
    Chosen chosen = kind.choose(admin, filter, change.ids(), table.toString());
    String name = table.layout().table().toString();
    Words words = new Words(kind.verb(), kind.done(), NOUN, "table", name, table.toString());
    if (!change.confirmed(this, words, chosen.count())) {
      return ExitCode.FAILED;
    }
    if (change.dryRun()) {
      List<DeadReason> reasons = admin.deadReasons(chosen.filter(), REASONS);
      return change.reportDryRun(this, words, chosen, reasons);
    }
    long changed = kind.apply(admin, chosen, decision, done -> tell(words, done, chosen));
    return change.report(this, words, chosen.count(), chosen.ids(), changed, new JsonObject());
  }

  /** Shows the progress, in case the command is interrupted. */
  private void tell(Words words, long done, Chosen chosen) {
    if (chosen.ids() == null && done % STEP == 0) {
      terminal()
          .err()
          .printf(Locale.ROOT, "%,d of %s %s%n", done, words.count(chosen.count()), words.done());
    }
  }
}
