package dev.postcommit.server;

import dev.postcommit.server.ChangeOptions.Words;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;

/** What replaying and discarding share: which events, are you sure, and what came of it. */
abstract class DeadChangeCommand extends TableCommand {
  private static final String NOUN = "dead event";

  @Mixin private DeadFilterOptions options = new DeadFilterOptions();

  @Mixin private ChangeOptions change = new ChangeOptions();

  private final DeadChange kind;

  DeadChangeCommand(Console console, DeadChange kind) {
    super(console);
    this.kind = kind;
  }

  @Override
  public final Integer call() throws IOException {
    DeadFilter filter = options.filter(this);
    change.checkChoice(this, !filter.equals(DeadFilter.all()), NOUN);
    Decision decision = change.decision(this, kind.needsReason());
    OutboxTable table = table();
    OutboxAdmin admin = Databases.admin(table);
    List<String> chosen = kind.choose(admin, filter, change.ids(), table.toString());
    String name = table.layout().table().toString();
    Words words = new Words(kind.verb(), kind.done(), NOUN, "table", name, table.toString());
    if (!change.confirmed(this, words, chosen.size())) {
      return ExitCode.FAILED;
    }
    int changed = change.dryRun() ? 0 : kind.apply(admin, filter.withIds(chosen), decision);
    change.report(console(), words, chosen, changed, fields -> {});
    return ExitCode.OK;
  }
}
