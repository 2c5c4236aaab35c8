package dev.postcommit.server.cli;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.Options;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postcommit prune}. */
@Command(
    name = "prune",
    customSynopsis =
        "postcommit prune --older-than <time> [--batch-size <n>] [--json] [<settings>]",
    description = {
      "Deletes delivered events that are older than a given time.",
      "",
      "Pending and dead events are never touched. Rows are deleted in batches, each in its own"
          + " transaction, so relays and writers can run at the same time. A relay prunes by itself,"
          + " as its setting retention says."
    },
    footer = {
      "  postcommit prune --older-than 30d",
      "  postcommit prune --older-than 12h --batch-size 1000",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class PruneCommand extends TableCommand {

  @Option(
      names = "--older-than",
      required = true,
      paramLabel = "<time>",
      description = "Delete events delivered longer ago than this, such as 30d, 12h or 0s.")
  private String olderThan = "";

  @Option(
      names = "--batch-size",
      paramLabel = "<n>",
      description = "Rows deleted in one transaction. Default: ${DEFAULT-VALUE}.")
  private int batchSize = 5000;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    Duration age = Options.duration(this, "--older-than", olderThan);
    if (age.isNegative() || batchSize < 1) {
      throw wrongUsage("--older-than must not be negative, and --batch-size at least 1");
    }
    OutboxTable table = table();
    long deleted = Databases.admin(table).prune(age, batchSize);
    return json.print(
        this,
        TableJson.pruned(table.layout(), deleted),
        List.of(
            String.format(
                Locale.ROOT,
                "%,d delivered %s older than %s deleted from %s",
                deleted,
                deleted == 1 ? "event" : "events",
                DurationText.show(age),
                table)));
  }
}
