package dev.postcommit.server;

import dev.postcommit.flyway.OutboxMigration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit migrate}. */
@Command(
    name = "migrate",
    customSynopsis = "postcommit migrate [--json] [<settings>]",
    description = {
      "Makes the outbox table, or brings it up to date.",
      "",
      "Safe to run again and by several at once. The history is in a table of its own, named after"
          + " the outbox table with _history added, and so never meets the migrations of your"
          + " application."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  postcommit migrate --database-url jdbc:postgresql://localhost:5432/app",
      "  postcommit migrate --table billing.outbox",
      "",
      "Exit codes: 0 done or up to date, 1 the database failed, 2 wrong usage or settings."
    })
final class MigrateCommand extends TableCommand {

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  MigrateCommand(Console console) {
    super(console);
  }

  @Override
  public Integer call() {
    OutboxTable table = table();
    int applied = OutboxMigration.migrate(Databases.simple(table), table.layout());
    if (json) {
      Json.print(
          console().out(),
          fields -> {
            fields.writeStringField("table", table.layout().table().toString());
            fields.writeStringField("layout", table.layout().name());
            fields.writeNumberField("applied", applied);
          });
    } else if (applied == 0) {
      console().out().println(table + " is up to date");
    } else {
      String migrations = applied == 1 ? " migration applied to " : " migrations applied to ";
      console().out().println(applied + migrations + table);
    }
    return ExitCode.OK;
  }
}
