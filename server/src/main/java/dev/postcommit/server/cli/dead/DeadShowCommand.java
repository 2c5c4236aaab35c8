package dev.postcommit.server.cli.dead;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.DeadJson;
import dev.postcommit.server.table.Failure;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.store.StoredEvent;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postcommit dead show}. */
@Command(
    name = "show",
    customSynopsis = "postcommit dead show <id> [--json] [<settings>]",
    description = {
      "Shows one dead event with its headers and its payload.",
      "",
      "This is the only command that shows a payload: as text if possible, else in base64."
    },
    footer = {
      "  postcommit dead show 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11",
      "  postcommit dead show 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11 --json | jq -r .payload",
      "",
      "Exit codes: 0 done, 1 no such dead event or the database failed, 2 wrong usage or settings."
    })
final class DeadShowCommand extends TableCommand {

  @Parameters(paramLabel = "<id>", description = "The id of a dead event.")
  private String id = "";

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    OutboxTable table = table();
    DeadEvent dead =
        Databases.admin(table)
            .dead(id)
            .orElseThrow(() -> new Failure("no dead event " + id + " in " + table));
    return json.print(this, DeadJson.whole(dead), lines(dead));
  }

  private static List<String> lines(DeadEvent dead) {
    StoredEvent event = dead.event();
    Details details =
        new Details()
            .line("id", event.id())
            .line("type", event.type())
            .line("topic", event.topic())
            .line("key", event.key())
            .line("namespace", event.namespace())
            .line("tenant", event.tenant())
            .line("dedupe key", event.dedupeKey());
    if (event.aggregateType() != null) {
      details.line("aggregate", event.aggregateType() + " " + event.aggregateId());
    }
    return details
        .line("version", event.version())
        .line("created", event.createdAt())
        .line("attempts", event.attempt())
        .line("error", dead.error())
        .headers(event.headers())
        .content("payload", event.payload())
        .lines();
  }
}
