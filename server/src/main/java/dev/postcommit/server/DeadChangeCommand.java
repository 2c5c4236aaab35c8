package dev.postcommit.server;

import dev.postcommit.server.ChangeOptions.Words;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Mixin;

/** What replaying and discarding share: which events, are you sure, and what came of it. */
abstract class DeadChangeCommand extends TableCommand {
  private static final String NOUN = "dead event";

  @Mixin private DeadFilterOptions options = new DeadFilterOptions();

  @Mixin private ChangeOptions change = new ChangeOptions();

  private final String verb;
  private final String done;

  DeadChangeCommand(Console console, String verb, String done) {
    super(console);
    this.verb = verb;
    this.done = done;
  }

  /** Whether the audit table must be told why. */
  abstract boolean needsReason();

  /** Changes the events and says how many of them were dead. */
  abstract int change(OutboxAdmin admin, DeadFilter filter, Decision decision);

  @Override
  public final Integer call() throws IOException {
    DeadFilter filter = filter();
    Decision decision = change.decision(this, needsReason());
    OutboxTable table = table();
    OutboxAdmin admin = Databases.admin(table);
    List<String> chosen = admin.deadIds(filter);
    checkDead(chosen, table);
    String name = table.layout().table().toString();
    Words words = new Words(verb, done, NOUN, "table", name, table.toString());
    if (!change.confirmed(this, words, chosen.size())) {
      return ExitCode.FAILED;
    }
    int changed = change.dryRun() ? 0 : change(admin, filter.withIds(chosen), decision);
    change.report(console(), words, chosen, changed, fields -> {});
    return ExitCode.OK;
  }

  private DeadFilter filter() {
    DeadFilter filter = options.filter(this);
    change.checkChoice(this, !filter.equals(DeadFilter.all()), NOUN);
    return change.ids().isEmpty() ? filter : filter.withIds(change.ids());
  }

  private void checkDead(List<String> chosen, OutboxTable table) {
    Set<String> dead = new HashSet<>(chosen);
    for (String id : change.ids()) {
      if (!dead.contains(id) && !dead.contains(id.toLowerCase(Locale.ROOT))) {
        throw new Failure("no dead event " + id + " in " + table + "; nothing was " + done);
      }
    }
  }
}
