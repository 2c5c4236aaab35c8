package dev.postcommit.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
}
