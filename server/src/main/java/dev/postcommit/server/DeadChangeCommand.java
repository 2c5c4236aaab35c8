package dev.postcommit.server;

import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** What replaying and discarding share: which events, are you sure, and what came of it. */
abstract class DeadChangeCommand extends TableCommand {

  @Parameters(paramLabel = "<id>", arity = "0..*", description = "Ids of dead events.")
  private List<String> ids = List.of();

  @Mixin private DeadFilterOptions options = new DeadFilterOptions();

  @Option(names = "--all", description = "All dead events of the table, as they are now.")
  private boolean all;

  @Option(
      names = "--reason",
      paramLabel = "<text>",
      description = "Why, for the audit table; a discard needs it.")
  private @Nullable String reason;

  @Option(
      names = "--operator",
      paramLabel = "<name>",
      description = "Who decides, for the audit table. Default: the name of the system's user.")
  private @Nullable String operator;

  @Option(names = "--dry-run", description = "Only list the events that would be changed.")
  private boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description =
          "Do not ask; needed for --all or a filter where there is no terminal to ask on.")
  private boolean yes;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

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
    Decision decision = decision();
    OutboxTable table = table();
    OutboxAdmin admin = Databases.admin(table);
    List<String> chosen = admin.deadIds(filter);
    checkDead(chosen, table);
    if (!dryRun && ids.isEmpty() && !chosen.isEmpty() && !confirmed(chosen.size(), table)) {
      console().err().println("nothing " + done);
      return ExitCode.FAILED;
    }
    report(table, chosen, dryRun ? 0 : change(admin, filter.withIds(chosen), decision));
    return ExitCode.OK;
  }

  private DeadFilter filter() {
    DeadFilter filter = options.filter(this);
    boolean open = filter.equals(DeadFilter.all());
    if (all ? !ids.isEmpty() || !open : ids.isEmpty() && open) {
      throw new ParameterException(
          spec().commandLine(), "give ids of dead events, a filter such as --type, or --all");
    }
    return ids.isEmpty() ? filter : filter.withIds(ids);
  }

  private Decision decision() {
    String who = operator == null ? console().user() : operator;
    if (who.isBlank()) {
      throw new ParameterException(
          spec().commandLine(), "--operator: say who decides, for the audit table");
    }
    if (reason == null ? needsReason() && !dryRun : reason.isBlank()) {
      throw new ParameterException(spec().commandLine(), "--reason: say why, for the audit table");
    }
    return new Decision(who, reason);
  }

  private void checkDead(List<String> chosen, OutboxTable table) {
    Set<String> dead = new HashSet<>(chosen);
    for (String id : ids) {
      if (!dead.contains(id) && !dead.contains(id.toLowerCase(Locale.ROOT))) {
        throw new Failure("no dead event " + id + " in " + table + "; nothing was " + done);
      }
    }
  }

  private boolean confirmed(int count, OutboxTable table) throws IOException {
    if (yes) {
      return true;
    }
    if (!console().terminal()) {
      throw new ParameterException(
          spec().commandLine(),
          (all ? "--all" : "a filter") + " needs --yes where there is no terminal to ask on");
    }
    console().err().print("Really " + verb + " " + events(count) + " of " + table + "? [y/N] ");
    console().err().flush();
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(console().in(), StandardCharsets.UTF_8));
    String answer = answers.readLine();
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }

  private void report(OutboxTable table, List<String> chosen, int changed) {
    if (json) {
      Json.print(
          console().out(),
          fields -> {
            fields.writeStringField("table", table.layout().table().toString());
            fields.writeBooleanField("dry_run", dryRun);
            fields.writeNumberField(done, changed);
            fields.writeArrayFieldStart("ids");
            for (String id : chosen) {
              fields.writeString(id);
            }
            fields.writeEndArray();
          });
    } else if (dryRun) {
      chosen.forEach(console().out()::println);
      console().out().println("would " + verb + " " + events(chosen.size()) + " of " + table);
    } else {
      console().out().println(events(changed) + " of " + table + " " + done);
    }
  }

  private static String events(int count) {
    return String.format(Locale.ROOT, "%,d dead %s", count, count == 1 ? "event" : "events");
  }
}
