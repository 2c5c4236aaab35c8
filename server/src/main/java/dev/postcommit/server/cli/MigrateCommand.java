package dev.postcommit.server.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.Json;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.store.LayoutCheck;
import java.io.IOException;
import java.util.List;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
    footerHeading = "%nExamples:%n",
    footer = {
      "  postcommit migrate --database-url jdbc:postgresql://localhost:5432/app",
      "  postcommit migrate --table billing.outbox",
      "  postcommit migrate --layout-file domain_events.properties",
      "",
      "Exit codes: 0 done or up to date, 1 the database failed or the table does not fit, 2 wrong"
          + " usage or settings."
    })
final class MigrateCommand extends TableCommand {

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  MigrateCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() {
    OutboxTable table = table();
    DataSource dataSource = Databases.simple(table);
    int applied = OutboxMigration.migrate(dataSource, table.layout());
    LayoutCheck check = LayoutCheck.of(dataSource, table.layout());
    if (json) {
      printJson(table, applied, check);
    } else {
      print(table, applied, check);
    }
    return check.relay().isEmpty() && check.admin().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void print(OutboxTable table, int applied, LayoutCheck check) {
    String migrations = applied == 1 ? " migration applied to " : " migrations applied to ";
    terminal()
        .out()
        .println(applied == 0 ? table + " is up to date" : applied + migrations + table);
    print("what a relay cannot work with:", check.relay());
    print("what an operator cannot work with:", check.admin());
    print("what an Outbox cannot write to:", check.outbox());
  }

  private void print(String heading, List<String> problems) {
    if (!problems.isEmpty()) {
      terminal().out().println(heading);
      problems.forEach(problem -> terminal().out().println("  " + problem));
    }
  }

  private void printJson(OutboxTable table, int applied, LayoutCheck check) {
    Json.print(
        terminal().out(),
        fields -> {
          fields.writeStringField("table", table.layout().table().toString());
          fields.writeStringField("layout", table.layout().name());
          fields.writeNumberField("applied", applied);
          writeAll(fields, "relay_problems", check.relay());
          writeAll(fields, "admin_problems", check.admin());
          writeAll(fields, "outbox_problems", check.outbox());
        });
  }

  private static void writeAll(JsonGenerator fields, String name, List<String> problems)
      throws IOException {
    fields.writeArrayFieldStart(name);
    for (String problem : problems) {
      fields.writeString(problem);
    }
    fields.writeEndArray();
  }
}
