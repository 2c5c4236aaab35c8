package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutFile;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.store.LayoutCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/layouts/adopting.md} shows, done. */
class LayoutsPageIT {
  private static final Path PAGE = Path.of("..", "docs", "layouts", "adopting.md");

  private final OutboxFixture fixture = new OutboxFixture();
  private final CapturedTerminal terminal = fixture.terminal();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path directory;

  @BeforeEach
  void createTable() throws SQLException, IOException {
    try (var connection = fixture.database().dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA legacy; " + snippet("table"));
    }
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String snippet(String name) throws IOException {
    Matcher matcher =
        Pattern.compile("<!-- snippet: " + name + " -->\\n```\\w*\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(matcher.find()).as("snippet %s", name).isTrue();
    return matcher.group(1);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("domain_events.properties"), text);
  }

  private static Layout adopted() {
    Layout legacy =
        Layout.adopt(TableName.of("legacy.domain_events"))
            .name("legacy")
            .column(Role.ID, "event_no", "bigint")
            .column(Role.SEQ, "event_no", "bigint")
            .column(Role.TYPE, "kind", "varchar")
            .column(Role.AGGREGATE_ID, "entity", "text")
            .column(Role.PAYLOAD, "body", "text")
            .column(Role.CREATED_AT, "written", "timestamp")
            .column(Role.STATUS, "state", "varchar")
            .column(Role.DELIVERED_AT, "sent", "timestamp")
            .lifecycle(new Status("NEW", "SENT", "BROKEN"))
            .retryPolicy(RetryPolicy.DEFAULT.withMaxAttempts(5))
            .build();
    return legacy;
  }

  @Test
  void theTableOfThePageFitsItsDescriptionsOnceMigrated() throws IOException {
    Path file = file(snippet("file"));

    assertThat(LayoutFile.read(file)).isEqualTo(adopted());
    assertThat(terminal.run("migrate", "--layout-file", file.toString())).isZero();
    assertThat(terminal.out()).startsWith("5 migrations applied to legacy.domain_events at jdbc:");
    LayoutCheck check = LayoutCheck.of(fixture.database().dataSource(), adopted());
    assertThat(check.relay()).isEmpty();
    assertThat(check.admin()).isEmpty();
  }

  @Test
  void theOutputOfThePageIsWhatTheRelaySays() throws IOException {
    String mistaken =
        snippet("file")
            .replace("body text", "bodi text")
            .replace("written timestamp", "written timestamptz");

    assertThat(
            terminal.run(
                "relay",
                "--layout-file",
                file(mistaken).toString(),
                "--kafka-bootstrap-servers",
                "localhost:1"))
        .isEqualTo(1);
    assertThat(
            terminal
                .err()
                .replaceFirst("jdbc:postgresql://\\S+", "jdbc:postgresql://localhost:5432/app"))
        .isEqualTo(snippet("misfit"));
  }
}
