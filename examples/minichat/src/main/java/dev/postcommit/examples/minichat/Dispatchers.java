package dev.postcommit.examples.minichat;

import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.RelayPresence;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The dispatchers' processes. */
final class Dispatchers implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(10);

  private final PostgresDatabase chat;
  private final PostgresDatabase billing;
  private final OutboxAdmin admin;
  private final Processes processes = Processes.create();

  Dispatchers(PostgresDatabase chat, PostgresDatabase billing) {
    this.chat = chat;
    this.billing = billing;
    this.admin = OutboxAdmin.of(chat.dataSource(), Layout.preset("modkit"));
  }

  /** Starts one, and returns when it has shown itself in the table of relays. */
  ChildProcess start() {
    ChildProcess process =
        processes
            .java(DispatcherMain.class)
            .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m")
            .arguments(chat.jdbcUrl(), billing.jdbcUrl(), chat.username())
            .start();
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(POLL)
          .until(() -> presence(process).isPresent() || !process.alive());
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException("a dispatcher does not begin:\n" + process.output(), e);
    }
    if (!process.alive()) {
      throw new IllegalStateException("a dispatcher has ended at once:\n" + process.output());
    }
    return process;
  }

  private Optional<RelayPresence> presence(ChildProcess process) {
    return admin.relays().orElse(List.of()).stream()
        .filter(relay -> relay.pid() == process.pid())
        .findFirst();
  }

  /** How many events a process holds under a lease. */
  private long held(ChildProcess process) throws SQLException {
    return Sql.number(
        chat.dataSource(),
        """
        SELECT count(*) FROM modkit_outbox_events
        WHERE status = 'processing' AND locked_until > now() AND locked_by = ?""",
        presence(process).orElseThrow().id());
  }

  /** Writes events, or has them written. */
  @FunctionalInterface
  interface Writing {
    /** Does it, or begins it. */
    void begin() throws SQLException;
  }

  /**
   * Kills a process by SIGKILL while it is in the midst of deliveries: billing stands still until
   * then, as when it closes a month.
   *
   * @return how many events the process held at least
   */
  long killWhileItHoldsEvents(ChildProcess process, Writing writing) throws SQLException {
    return Sql.transact(
        billing.dataSource(),
        tx -> {
          Sql.update(tx, "LOCK TABLE charges IN SHARE MODE");
          writing.begin();
          long held =
              Awaitility.await("events held by a dispatcher")
                  .atMost(PATIENCE)
                  .pollInterval(POLL)
                  .until(() -> held(process), count -> count > 0);
          process.kill();
          return held;
        });
  }

  /** Waits until nothing is left to be delivered. */
  void awaitEmptyOutbox() {
    Awaitility.await("the end of all deliveries")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> admin.status().pending() == 0);
  }

  @Override
  public void close() {
    processes.close();
  }
}
