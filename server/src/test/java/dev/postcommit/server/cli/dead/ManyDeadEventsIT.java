package dev.postcommit.server.cli.dead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** R38: what operators do to dead events takes no more memory the more and the larger they are. */
class ManyDeadEventsIT {

  /** The heap of the image. */
  private static final String HEAP = "-Xmx85m";

  @TempDir private Path directory;

  @Test
  @DisplayName("R38: large dead events are listed without reading them")
  void largeEventsAreListed() throws Exception {
    try (OutboxFixture fixture = new OutboxFixture()) {
      fixture.migrate();
      insertDead(fixture, "postcommit_outbox", 120, 1 << 20, 10);

      String listed = run(fixture, "dead", "list", "--limit", "120", "--json");

      assertThat(listed).startsWith("{\"total\":120,").contains("\"payload_bytes\":1048576}");
    }
  }

  @Test
  @DisplayName("R38: many dead events are counted, replayed and discarded in bounded pages")
  void manyEventsAreDecidedOn() throws Exception {
    decideOn(Layout.nativeTable(), "postcommit_outbox", 15_000, 4000);
  }

  @Test
  @EnabledIfEnvironmentVariable(
      named = "POSTCOMMIT_TEST_ALL",
      matches = "true",
      disabledReason = "takes minutes; POSTCOMMIT_TEST_ALL=true runs it")
  @DisplayName("R38: so are a million, of a native table and of a log")
  void aMillionEventsAreDecidedOn() throws Exception {
    decideOn(Layout.nativeTable(), "postcommit_outbox", 1_000_000, 100);
    decideOn(Layout.log(), "postcommit_log_diverted", 1_000_000, 100);
  }

  private void decideOn(Layout layout, String table, int count, int errorLength) throws Exception {
    try (OutboxFixture fixture = new OutboxFixture(layout)) {
      fixture.migrate();
      insertDead(fixture, table, count, 10, errorLength);
      String most = "%,d dead events".formatted(count);

      assertThat(run(fixture, "dead", "replay", "--all", "--dry-run"))
          .contains("would replay " + most)
          .contains("%,d".formatted(count / 2) + "  error 0 ");
      assertThat(run(fixture, "dead", "replay", "--error", "error 0", "--yes", "--operator", "ada"))
          .contains("%,d dead events".formatted(count / 2), "replayed");
      assertThat(fixture.admin().status().pending()).isEqualTo(count / 2);
      assertThat(run(fixture, "dead", "discard", "--all", "--yes", "--operator=ada", "--reason=x"))
          .contains("%,d dead events".formatted(count / 2), "discarded");

      assertThat(fixture.admin().status().dead()).isZero();
      assertThat(fixture.admin().status().pending()).isEqualTo(count / 2);
    }
  }

  private static void insertDead(
      OutboxFixture fixture, String table, int count, int bytes, int errorLength)
      throws SQLException {
    fixture.execute(
        """
        INSERT INTO %s (id, topic, type, key, payload, status, attempts, last_error)
        SELECT gen_random_uuid(), 'orders', 'order.placed', 'key-' || i,
          decode(repeat('20', %d), 'hex'), 'dead', 3,
          rpad('error ' || i %% 2 || ' ', %d, 'x')
        FROM generate_series(1, %d) i"""
            .formatted(table, bytes, errorLength, count));
  }

  /** Runs a command in a process with the heap of the image. */
  private String run(OutboxFixture fixture, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(Arrays.asList(arguments));
    Path output = directory.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("POSTCOMMIT_"));
    builder.environment().putAll(fixture.environment());
    Process process = builder.start();
    try {
      int exit = process.waitFor();
      String printed = Files.readString(output);
      assertThat(exit).as("%s: %s", List.of(arguments), printed).isZero();
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }
}
