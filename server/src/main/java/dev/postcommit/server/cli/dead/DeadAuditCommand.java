package dev.postcommit.server.cli.dead;

import dev.postcommit.server.table.AuditJson;
import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.Json;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.Options;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit dead audit}. */
@Command(
    name = "audit",
    customSynopsis = "postcommit dead audit [--limit <n>] [--json] [<settings>]",
    description = {
      "Lists what operators did to dead events, newest first.",
      "",
      "Each entry shows the state of the event before. The JSON also has its aggregate, attempts and"
          + " error."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  postcommit dead audit --limit 100",
      "  postcommit dead audit --json | jq -r '.entries[] | select(.action == \"discard\") | .reason'",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class DeadAuditCommand extends TableCommand {
  @Option(
      names = "--limit",
      paramLabel = "<n>",
      description = "The most entries to list. Default: ${DEFAULT-VALUE}.")
  private int limit = 50;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  DeadAuditCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() {
    int most = Options.limit(this, limit);
    OutboxTable table = table();
    List<AuditEntry> entries = Databases.admin(table).audit(most);
    if (json) {
      Json.print(terminal().out(), AuditJson.list(entries));
    } else if (entries.isEmpty()) {
      terminal().out().println("nothing was replayed or discarded in " + table);
    } else {
      print(entries);
    }
    return ExitCode.OK;
  }

  private void print(List<AuditEntry> entries) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("AT", "ACTION", "OPERATOR", "ID", "TYPE", "REASON"));
    for (AuditEntry entry : entries) {
      rows.add(
          List.of(
              entry.at().truncatedTo(ChronoUnit.SECONDS).toString(),
              AuditJson.action(entry),
              Texts.cell(entry.operator(), Details.LONGEST_CELL),
              entry.eventId(),
              Texts.cell(entry.eventType(), Details.LONGEST_CELL),
              Texts.cell(entry.reason(), Details.LONGEST_CELL)));
    }
    Texts.table(rows).forEach(terminal().out()::println);
  }
}
