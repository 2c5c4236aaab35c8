package dev.postcommit.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.LayoutSettings.Variable;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutFileTest {
  private static final String EVENTS =
      """
      table = legacy.events
      column.id = id uuid
      column.type = kind varchar(40)
      column.payload = body jsonb
      column.created-at = at timestamp without time zone
      """;

  private static final String STATUS =
      EVENTS
          + """
          column.status = state text
          lifecycle = status
          status.pending = NEW
          status.delivered = SENT
          status.dead = BROKEN
          """;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("layout.properties"), text);
  }

  private void assertRefused(String text, String message) throws IOException {
    Path file = file(text);
    assertThatThrownBy(() -> LayoutFile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void aFileAndJavaDescribeTheSameLayout() throws IOException {
    String more =
        """
        name = old
        column.key = entity bigint
        retry.max-attempts = unlimited
        retry.base-delay = 500ms
        retry.max-delay = PT1M
        retry.jitter = 0
        """;
    assertThat(LayoutFile.read(file(STATUS + more)))
        .isEqualTo(
            Layout.adopt(TableName.of("legacy.events"))
                .name("old")
                .column(Role.ID, "id", "uuid")
                .column(Role.TYPE, "kind", "varchar")
                .column(Role.PAYLOAD, "body", "jsonb")
                .column(Role.CREATED_AT, "at", "timestamp")
                .column(Role.STATUS, "state", "text")
                .column(Role.KEY, "entity", "bigint")
                .lifecycle(new Status("NEW", "SENT", "BROKEN"))
                .retryPolicy(
                    new RetryPolicy(
                        RetryPolicy.UNLIMITED, Duration.ofMillis(500), Duration.ofMinutes(1), 0))
                .build());
  }

  @Test
  void deadRowsOfAFlaggedTableMayBeMarked() throws IOException {
    String flagged = EVENTS + "lifecycle = processed-flag\ncolumn.processed = done boolean\n";
    assertThat(LayoutFile.read(file(flagged)).lifecycle()).isEqualTo(new ProcessedFlag(false));
    assertThat(LayoutFile.read(file(flagged + "dead-rows = mark-processed")).lifecycle())
        .isEqualTo(new ProcessedFlag(true));
    assertRefused(flagged + "dead-rows = drop", "dead-rows: 'drop' is not keep or mark-processed");
    assertRefused(
        STATUS + "dead-rows = keep", "dead-rows goes with lifecycle = processed-flag, not status");
  }

  @Test
  void unknownAndDoubleKeysAreRefused() throws IOException {
    assertRefused(STATUS + "colum.key = k text", "unknown key colum.key; did you mean column.key?");
    assertRefused(STATUS + "table = other", "table is there twice; leave one");
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    assertRefused("lifecycle = status", "there is no table; add a line table = …");
    assertRefused(EVENTS, "there is no lifecycle");
    assertRefused(EVENTS + "lifecycle = status", "there is no status.pending");
    assertRefused(
        EVENTS + "lifecycle = published-at",
        "there is no column for DELIVERED_AT, which the published-at lifecycle needs");
  }

  @Test
  void badValuesAreRefusedByTheirKey() throws IOException {
    assertRefused(EVENTS + "lifecycle = states", "lifecycle: 'states' is not one of status, ");
    assertRefused(
        EVENTS + "lifecycle = claimed", "claimed is the native table's own and cannot be adopted");
    assertRefused(
        STATUS + "column.key = entity", "column.key: 'entity' is not a column and its type");
    assertRefused(STATUS + "retry.base-delay = soon", "retry.base-delay: 'soon' is not a duration");
    assertRefused(
        STATUS + "retry.max-attempts = many",
        "retry.max-attempts: 'many' is not a whole number or unlimited");
    assertRefused(STATUS + "retry.max-attempts = 0", "retry: maxAttempts must be at least 1");
    assertRefused(STATUS + "retry.jitter = x", "retry.jitter: 'x' is not a number from 0 to 1");
    assertRefused(
        STATUS.replace("legacy.events", "a b"), "'a b' is not a table name; use table or");
    assertRefused(STATUS.replace("BROKEN", "SENT"), "the status words must differ");
  }

  @Test
  void aFileThatIsNotThereIsNotAMistakeInIt() {
    assertThatThrownBy(() -> LayoutFile.read(directory.resolve("none")))
        .isInstanceOf(PostcommitException.class)
        .hasMessageStartingWith("there is no file ");
  }

  @Test
  void mistakesAreNamedByTheirLine() throws IOException {
    assertRefused("# a\n\ntable = \\\n  t\ncolum.key = k text", "line 5: unknown key colum.key");
    assertRefused(STATUS + "table = other", "line 11: table is there twice");
    assertRefused(STATUS + "column.key = entity", "line 11: column.key: 'entity' is not a column");
    assertRefused(
        STATUS + "column.attempts = tries text",
        "line 11: column tries for ATTEMPTS is text; it must be int or bigint");
    assertRefused(STATUS + "retry.base-delay = soon", "line 11: retry.base-delay: 'soon'");
    assertRefused(STATUS + "name = \\u00", "line 11: Malformed");
  }

  @Test
  void anEnumTypeHasItsLabelsAndIsInTheSchemaOfTheTable() throws IOException {
    Layout layout =
        LayoutFile.read(
            file(STATUS.replace("kind varchar(40)", "kind kinds") + "labels.type = a, b"));
    assertThat(layout.required(Role.TYPE))
        .isEqualTo(new Column("kind", "\"legacy\".kinds", List.of("a", "b")));
    assertRefused(STATUS + "labels.key = a", "unknown key labels.key");
  }

  @Test
  void aFileMaySayWhatRelaysDo() throws IOException {
    String relays =
        """
        retry.max-attempts = required
        setting.batch-size = 50
        setting.route = fixed:events
        variable.poll-interval = SLEEP_MS {}ms 250..1000
        variable.max-attempts = TRIES
        """;
    LayoutSettings settings = LayoutFile.read(file(STATUS + relays)).settings();

    assertThat(settings.defaults()).isEqualTo(Map.of("batch-size", "50", "route", "fixed:events"));
    assertThat(settings.requiresMaxAttempts()).isTrue();
    assertThat(settings.variables())
        .containsExactly(
            new Variable("TRIES", "max-attempts", "{}", List.of()),
            new Variable("SLEEP_MS", "poll-interval", "{}ms", List.of(250, 1000)));
    assertThat(settings.variables().get(1).settingValue("300")).isEqualTo("300ms");
    assertThatThrownBy(() -> settings.variables().get(1).settingValue("1001"))
        .hasMessage("is not a whole number from 250 to 1000");
  }

  @Test
  void whatCannotBeSaidOfRelaysIsRefused() throws IOException {
    assertRefused(STATUS + "setting.lease = 1s", "unknown key setting.lease");
    assertRefused(
        STATUS + "setting.batch-size = many", "setting.batch-size: 'many' is not a whole number");
    assertRefused(
        STATUS + "setting.poll-interval = soon", "setting.poll-interval: 'soon' is not a duration");
    assertRefused(STATUS + "setting.envelope =", "there is no setting.envelope");
    assertRefused(
        STATUS + "variable.route = A B C", "variable.route: 'A B C' is not a variable; write for");
  }
}
