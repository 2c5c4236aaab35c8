package dev.postcommit.server;

import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.store.OutboxAdmin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** What replaying and discarding share: which events, are you sure, and what came of it. */
abstract class DeadChangeCommand extends CliCommand {
  private static final int CHUNK = 1000;

  @Parameters(paramLabel = "<id>", arity = "0..*", description = "Ids of dead events.")
  private List<String> ids = List.of();

  @Option(names = "--all", description = "All dead events of the table, as they are now.")
  private boolean all;

  @Option(names = "--dry-run", description = "Only say what would be done.")
  private boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask; needed for --all where there is no terminal to ask on.")
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

  /** Changes the events and says how many of them were dead. */
  abstract int change(OutboxAdmin admin, List<String> chunk);

  @Override
  final List<Setting<?>> uses() {
    return ServerSettings.TABLE_SETTINGS;
  }

  @Override
  public final Integer call() throws IOException {
    if (all == !ids.isEmpty()) {
      throw new ParameterException(spec().commandLine(), "give ids of dead events, or --all");
    }
    OutboxTable table = OutboxTable.of(settings());
    OutboxAdmin admin = Databases.admin(table);
    List<String> chosen = all ? admin.deadIds() : List.copyOf(new LinkedHashSet<>(ids));
    if (!all) {
      checkDead(chosen, admin, table);
    }
    if (!dryRun && all && !chosen.isEmpty() && !confirmed(chosen.size(), table)) {
      console().err().println("nothing " + done);
      return ExitCode.FAILED;
    }
    report(table, chosen, dryRun ? 0 : changeAll(admin, chosen));
    return ExitCode.OK;
  }

  private void checkDead(List<String> chosen, OutboxAdmin admin, OutboxTable table) {
    for (String id : chosen) {
      if (admin.dead(id).isEmpty()) {
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
          spec().commandLine(), "--all needs --yes where there is no terminal to ask on");
    }
    console().err().print("Really " + verb + " " + events(count) + " of " + table + "? [y/N] ");
    console().err().flush();
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(console().in(), StandardCharsets.UTF_8));
    String answer = answers.readLine();
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }

  private int changeAll(OutboxAdmin admin, List<String> chosen) {
    int changed = 0;
    for (int from = 0; from < chosen.size(); from += CHUNK) {
      changed += change(admin, chosen.subList(from, Math.min(from + CHUNK, chosen.size())));
    }
    return changed;
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
