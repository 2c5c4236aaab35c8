package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.server.terminal.Termination;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code status --watch}, which goes on until it is ended. */
class StatusWatchIT {
  private final OutboxFixture fixture = new OutboxFixture().migrate();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void enqueue() throws SQLException {
    fixture.enqueue(Event.builder("order.placed").key("k").json("1"));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Thread watch(boolean interactive, String... more) {
    Terminal terminal =
        new Terminal(
            fixture.environment(),
            CapturedTerminal.USER,
            Path.of("no such directory"),
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            interactive,
            Termination.never());
    String[] args = new String[more.length + 4];
    System.arraycopy(new String[] {"status", "--watch", "--interval", "50ms"}, 0, args, 0, 4);
    System.arraycopy(more, 0, args, 4, more.length);
    Thread thread = new Thread(() -> Main.run(terminal, args));
    thread.start();
    return thread;
  }

  private void awaitShown(String text) {
    int from = out.size();
    await().until(() -> out.toString(StandardCharsets.UTF_8).indexOf(text, from) >= 0);
  }

  /** Lets nobody connect, runs, and lets them connect again. */
  private void whileUnreachable(Runnable check) throws SQLException {
    try (Connection connection = fixture.database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      String accept = "UPDATE pg_database SET datallowconn = %s WHERE datname = current_database()";
      statement.execute(accept.formatted(false));
      try {
        check.run();
      } finally {
        statement.execute(accept.formatted(true));
      }
    }
  }

  @Test
  @DisplayName("R49: where there is no terminal, each look is a line, and outages are survived")
  void linesFollowEachOther() throws Exception {
    Thread watching = watch(false);
    awaitShown("pending 1  in flight 0  delayed 0  dead 0  oldest ");
    awaitShown("pending 1 (+0/s)  in flight 0");
    fixture.enqueue(Event.builder("order.placed").key("k").json("2"));
    awaitShown("pending 2 (+");
    whileUnreachable(() -> awaitShown("; looking again\n"));
    awaitShown("pending 2 (+0/s)");
    assertThat(watching.isAlive()).isTrue();
    watching.interrupt();
    watching.join();
    assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("\u001b");
  }

  @Test
  @DisplayName("R49: on a terminal a block is drawn in its place again and again")
  void aBlockIsDrawnInItsPlace() throws Exception {
    Thread watching = watch(true);
    awaitShown("  pending    1\n");
    awaitShown("\u001b[7A\u001b[J  pending    1 (+0/s)\n  in flight  0\n");
    fixture.terminal().run("pause", "--reason", "upgrade");
    awaitShown("\n  paused     by grace: upgrade (since ");
    whileUnreachable(() -> awaitShown("\u001b[8A\u001b[J  "));
    awaitShown("\u001b[2A\u001b[J  pending    1");
    watching.interrupt();
    watching.join();
  }

  @Test
  @DisplayName("R49: scripts are given a document for each look, also during an outage")
  void documentsFollowEachOther() throws Exception {
    Thread watching = watch(false, "--json");
    awaitShown("\"pending\":1,");
    whileUnreachable(() -> awaitShown("\"layout\":\"native\",\"problem\":\""));
    awaitShown("\"pending\":1,");
    watching.interrupt();
    watching.join();
  }
}
