package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableCommandsIT {
  private final OutboxFixture fixture = new OutboxFixture();
  private final CapturedTerminal terminal = fixture.terminal();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Event.Builder event() {
    return Event.builder("order.placed").aggregate("order", "order-7").json("{\"n\":1}");
  }

  @Test
  void migratingSaysWhatItDidAndThenThatAllIsUpToDate() {
    assertThat(terminal.run("migrate")).isZero();
    assertThat(terminal.out()).startsWith("3 migrations applied to postcommit_outbox at jdbc:");
    assertThat(terminal.run("migrate")).isZero();
    assertThat(terminal.out()).startsWith("postcommit_outbox at jdbc:").contains("is up to date");
    assertThat(terminal.run("migrate", "--json", "--table", "billing.events")).isZero();
    assertThat(terminal.out())
        .isEqualToIgnoringNewLines(
            "{\"table\":\"billing.events\",\"layout\":\"native\",\"applied\":3,"
                + "\"relay_problems\":[],\"admin_problems\":[],\"outbox_problems\":[]}");
  }

  @Test
  void theModkitLayoutIsMigratedAndReadAsWell() {
    assertThat(terminal.run("migrate", "--layout", "modkit")).isZero();
    assertThat(terminal.run("status", "--layout", "modkit")).isZero();
    assertThat(terminal.out()).startsWith("modkit_outbox_events at ").contains("modkit layout");
  }

  @Test
  void everyLayoutIsMigratedInASchemaOfItsOwn() {
    for (String layout : new String[] {"logistik", "packfinderz", "polyshop"}) {
      String table = layout + ".outbox_events";
      assertThat(terminal.run("migrate", "--layout", layout, "--table", table)).isZero();
      assertThat(terminal.outLines()).singleElement().asString().contains("migrations applied to ");
      assertThat(terminal.run("migrate", "--layout", layout, "--table", table)).isZero();
      assertThat(terminal.out()).startsWith(table + " at jdbc:").contains("is up to date");
    }
  }

  @Test
  void migratingATableOfYourOwnListsWhatDoesNotFit(@TempDir Path directory)
      throws SQLException, IOException {
    try (var connection = fixture.database().dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE events (id bigint, kind text, body json, at timestamptz, done boolean)");
    }
    Path file =
        Files.writeString(
            directory.resolve("events.properties"),
            """
            table = events
            lifecycle = processed-flag
            column.id = id bigint
            column.type = kind text
            column.payload = body jsonb
            column.created-at = att timestamptz
            column.processed = done boolean
            """);
    assertThat(terminal.run("migrate", "--layout-file", file.toString())).isEqualTo(1);
    assertThat(terminal.outLines())
        .hasSize(7)
        .contains(
            "what a relay cannot work with:",
            "  column id for ID has no unique index of its own; create one, or name the primary key",
            "  column body for PAYLOAD is json, not jsonb as the layout says",
            "  there is no column att for CREATED_AT; did you mean at; events has id, kind, body, at,"
                + " done");
    assertThat(terminal.run("migrate", "--json", "--layout-file", file.toString())).isEqualTo(1);
    assertThat(terminal.out())
        .hasLineCount(1)
        .contains("\"relay_problems\":[\"column id for ID has");
  }

  @Test
  void statusCountsEventsByState() throws SQLException {
    fixture.migrate();
    fixture.enqueueDead(event(), "refused");
    fixture.enqueue(event());
    fixture.enqueue(event().availableAt(Instant.parse("2999-01-01T00:00:00Z")));

    assertThat(terminal.run("status")).isZero();
    assertThat(terminal.outLines())
        .contains("  pending    2", "  in flight  0", "  delayed    1", "  dead       1")
        .contains("  relays     0");
    assertThat(terminal.run("status", "--json")).isZero();
    assertThat(terminal.out())
        .hasLineCount(1)
        .startsWith("{\"table\":\"postcommit_outbox\",\"layout\":\"native\",\"pending\":2,")
        .contains("\"in_flight\":0,\"delayed\":1,\"dead\":1,\"oldest_pending\":\"");
  }

  @Test
  void statusOfAnEmptyTableHasNoOldestEvent() {
    fixture.migrate();
    assertThat(terminal.run("status", "--json")).isZero();
    assertThat(terminal.out()).contains("\"oldest_pending\":null,\"oldest_age_seconds\":0.0");
  }

  @Test
  void pruningDeletesDeliveredEventsOnly() throws SQLException {
    fixture.migrate();
    fixture.enqueueDelivered(event());
    fixture.enqueueDelivered(event());
    fixture.enqueueDead(event(), "refused");
    fixture.enqueue(event());

    assertThat(terminal.run("prune", "--older-than", "1h")).isZero();
    assertThat(terminal.out())
        .startsWith("0 delivered events older than 1h deleted from postcommit");
    assertThat(terminal.run("prune", "--older-than", "0s", "--batch-size", "1", "--json")).isZero();
    assertThat(terminal.out())
        .isEqualToIgnoringNewLines("{\"table\":\"postcommit_outbox\",\"deleted\":2}");
    assertThat(fixture.admin().status().pending()).isEqualTo(1);
    assertThat(fixture.admin().status().dead()).isEqualTo(1);
  }

  @Test
  void aTableThatIsNotThereIsOneLineThatSaysWhatToDo() {
    for (String[] command :
        new String[][] {
          {"status"},
          {"topics", "give-up", "t", "--reason=x"},
          {"dead", "list"},
          {"dead", "show", UUID.randomUUID().toString()},
          {"dead", "replay", "--all"},
          {"dead", "audit"},
          {"prune", "--older-than", "1d"}
        }) {
      assertThat(terminal.run(command)).isEqualTo(1);
      assertThat(terminal.err())
          .hasLineCount(1)
          .contains("there is no table postcommit_outbox at jdbc:")
          .contains("; run 'postcommit migrate' first");
      assertThat(terminal.out()).isEmpty();
    }
  }

  @Test
  void anAuditTableThatIsNotThereIsOneLineThatSaysWhatToDo() throws SQLException {
    fixture.migrate();
    fixture.enqueueDead(event(), "refused");
    fixture.execute("DROP TABLE postcommit_outbox_audit");

    assertThat(terminal.run("dead", "list")).isZero();
    assertThat(terminal.run("dead", "replay", "--all", "--yes")).isEqualTo(1);
    assertThat(terminal.err())
        .hasLineCount(1)
        .contains("postcommit_outbox_audit")
        .contains("; run 'postcommit migrate' first");
    assertThat(fixture.admin().status().dead()).isEqualTo(1);
  }

  @Test
  void aTableOfAnotherLayoutIsOneLine() {
    fixture.migrate();
    assertThat(terminal.run("status", "--layout", "modkit", "--table", "postcommit_outbox"))
        .isEqualTo(1);
    assertThat(terminal.err())
        .hasLineCount(1)
        .contains("does not have the columns of the modkit layout")
        .contains("check --table and --layout, or --layout-file");
  }

  @Test
  void aTableOfSomebodyElseIsNotMigrated() throws SQLException {
    fixture.execute("CREATE TABLE postcommit_outbox (id int)");
    assertThat(terminal.run("migrate")).isEqualTo(1);
    assertThat(terminal.err())
        .hasLineCount(1)
        .contains("there already is a table postcommit_outbox at jdbc:")
        .contains("choose another --table");
  }

  @Test
  void aLoginThatFailsIsOneLine() {
    assertThat(terminal.run("status", "--database-user", "nobody-here")).isEqualTo(1);
    assertThat(terminal.err())
        .hasLineCount(1)
        .contains("cannot log in at jdbc:")
        .contains("check --database-user and --database-password");
    String other = fixture.database().jdbcUrl().replace(fixture.database().name(), "nowhere");
    assertThat(terminal.run("status", "--database-url", other)).isEqualTo(1);
    assertThat(terminal.err()).hasLineCount(1).contains("database \"nowhere\" does not exist");
  }
}
