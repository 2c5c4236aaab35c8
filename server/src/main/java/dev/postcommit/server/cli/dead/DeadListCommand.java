package dev.postcommit.server.cli.dead;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.DeadJson;
import dev.postcommit.server.table.Json;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.Options;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postcommit dead list}. */
@Command(
    name = "list",
    customSynopsis = "postcommit dead list [<filter>] [--limit <n>] [--json] [<settings>]",
    description = "Lists the oldest dead events and why each was given up.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  postcommit dead list --limit 100",
      "  postcommit dead list --type order.placed --error 'too large' --from 2026-01-31",
      "  postcommit dead list --json | jq -r '.events[].id'",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class DeadListCommand extends TableCommand {
  @Mixin private DeadFilterOptions options = new DeadFilterOptions();

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      description = "The most events to list. Default: ${DEFAULT-VALUE}.")
  private int limit = 50;

  @Option(names = "--json", description = "Print one JSON document, without payloads.")
  private boolean json;

  DeadListCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() {
    int most = Options.limit(this, limit);
    DeadFilter filter = options.filter(this);
    OutboxTable table = table();
    OutboxAdmin admin = Databases.admin(table);
    List<DeadSummary> events = admin.dead(filter, most);
    long total = events.size() < most ? events.size() : admin.countDead(filter);
    if (json) {
      Json.print(terminal().out(), DeadJson.list(events, total));
    } else if (events.isEmpty()) {
      String such = filter.equals(DeadFilter.all()) ? "dead events" : "such dead events";
      terminal().out().println("no " + such + " in " + table);
    } else {
      print(events, total);
    }
    return ExitCode.OK;
  }

  private void print(List<DeadSummary> events, long total) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ID", "TYPE", "KEY", "ATTEMPTS", "CREATED", "ERROR"));
    for (DeadSummary dead : events) {
      rows.add(
          List.of(
              dead.id(),
              Texts.cell(dead.type(), Details.LONGEST_CELL),
              Texts.cell(dead.key(), Details.LONGEST_CELL),
              Integer.toString(dead.attempts()),
              dead.createdAt().truncatedTo(ChronoUnit.SECONDS).toString(),
              Texts.cell(dead.error(), Details.LONGEST_CELL)));
    }
    Details.list(terminal().out(), rows, total);
  }
}
