package dev.postcommit.server.cli.dead;

import dev.postcommit.server.table.AuditJson;
import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.LimitOption;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
    footer = {
      "  postcommit dead audit --limit 100",
      "  postcommit dead audit --json | jq -r '.entries[] | select(.action == \"discard\") | .reason'",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class DeadAuditCommand extends TableCommand {
  private static final List<String> HEADING =
      List.of("AT", "ACTION", "OPERATOR", "ID", "TYPE", "REASON");

  @Mixin private LimitOption limit = new LimitOption();

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    int most = limit.of(this);
    OutboxTable table = table();
    List<AuditEntry> entries = Databases.admin(table).audit(most);
    return json.print(
        this,
        AuditJson.list(entries),
        entries.isEmpty()
            ? List.of("nothing was replayed or discarded in " + table)
            : Texts.table(HEADING, entries, DeadAuditCommand::row));
  }

  private static List<String> row(AuditEntry entry) {
    return List.of(
        Details.cell(entry.at()),
        AuditJson.action(entry),
        Details.cell(entry.operator()),
        entry.eventId(),
        Details.cell(entry.eventType()),
        Details.cell(entry.reason()));
  }
}
