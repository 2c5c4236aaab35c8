package dev.postcommit.server.cli.dead;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.DeadJson;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.LimitOption;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code postcommit dead list}. */
@Command(
    name = "list",
    customSynopsis = "postcommit dead list [<filter>] [--limit <n>] [--json] [<settings>]",
    description = {
      "Lists the oldest dead events and why each was given up.",
      "",
      "The JSON has their other fields too, but no payloads."
    },
    footer = {
      "  postcommit dead list --limit 100",
      "  postcommit dead list --type order.placed --error 'too large' --from 2026-01-31",
      "  postcommit dead list --json | jq -r '.events[].id'",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class DeadListCommand extends TableCommand {
  private static final List<String> HEADING =
      List.of("ID", "TYPE", "KEY", "ATTEMPTS", "CREATED", "ERROR");

  @Mixin private DeadFilterOptions options = new DeadFilterOptions();

  @Mixin private LimitOption limit = new LimitOption();

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    int most = limit.of(this);
    DeadFilter filter = options.filter(this);
    OutboxTable table = table();
    OutboxAdmin admin = Databases.admin(table);
    List<DeadSummary> events = admin.dead(filter, most);
    long total = events.size() < most ? events.size() : admin.countDead(filter);
    String such = filter.equals(DeadFilter.all()) ? "dead events" : "such dead events";
    return json.print(
        this,
        DeadJson.list(events, total),
        events.isEmpty()
            ? List.of("no " + such + " in " + table)
            : Details.list(HEADING, events, DeadListCommand::row, total));
  }

  private static List<String> row(DeadSummary dead) {
    return List.of(
        dead.id(),
        Details.cell(dead.type()),
        Details.cell(dead.key()),
        Integer.toString(dead.attempts()),
        Details.cell(dead.createdAt()),
        Details.cell(dead.error()));
  }
}
