package dev.postcommit.server.cli;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.store.LayoutCheck;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code postcommit migrate}. */
@Command(
    name = "migrate",
    customSynopsis = "postcommit migrate [--json] [<settings>]",
    description = {
      "Creates or upgrades the outbox table.",
      "",
      "An existing table of your own, described by layout-file or by one of the layouts modkit,"
          + " logistik, packfinderz and polyshop, is not changed: the command only creates the tables"
          + " that Postcommit keeps beside it, and lists what does not fit.",
      "",
      "It can be run repeatedly and concurrently. Its history is in a separate table, named like"
          + " the outbox table with _history added, so it never conflicts with the migrations of your"
          + " application."
    },
    footer = {
      "  postcommit migrate --database-url jdbc:postgresql://localhost:5432/app",
      "  postcommit migrate --table billing.outbox",
      "  postcommit migrate --layout-file domain_events.properties",
      "",
      "Exit codes: 0 done or up to date, 1 the database failed or the table does not fit, 2 wrong"
          + " usage or settings."
    })
final class MigrateCommand extends TableCommand {

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    OutboxTable table = table();
    DataSource dataSource = Databases.simple(table);
    int applied = OutboxMigration.migrate(dataSource, table.layout());
    LayoutCheck check = LayoutCheck.of(dataSource, table.layout());
    json.print(this, document(table, applied, check), lines(table, applied, check));
    return check.relay().isEmpty() && check.admin().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static List<String> lines(OutboxTable table, int applied, LayoutCheck check) {
    List<String> lines = new ArrayList<>();
    String migrations = applied == 1 ? " migration applied to " : " migrations applied to ";
    lines.add(applied == 0 ? table + " is up to date" : applied + migrations + table);
    add(lines, "what a relay cannot work with:", check.relay());
    add(lines, "what an operator cannot work with:", check.admin());
    add(lines, "what an Outbox cannot write to:", check.outbox());
    return lines;
  }

  private static void add(List<String> lines, String heading, List<String> problems) {
    if (!problems.isEmpty()) {
      lines.add(heading);
      problems.forEach(problem -> lines.add("  " + problem));
    }
  }

  private static JsonObject document(OutboxTable table, int applied, LayoutCheck check) {
    return TableJson.names(table.layout())
        .set("applied", applied)
        .set("relay_problems", check.relay())
        .set("admin_problems", check.admin())
        .set("outbox_problems", check.outbox());
  }
}
