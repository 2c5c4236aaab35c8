package dev.postcommit.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A database that crashes under relays on a native table. Claims and settlements that were not
 * flushed are forgotten, and the numbers of claims are given out again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NativeDatabaseCrashIT {
  private static final Layout LAYOUT = Layout.nativeTable();
  private static final int EVENTS = 50;

  private PostgresServer server;
  private DataSource dataSource;

  @BeforeAll
  void startServer() {
    // Nothing is flushed but by a commit that waits for it.
    server = PostgresServer.builder().setting("wal_writer_delay", "10s").start();
    dataSource = server.dataSource();
    OutboxMigration.migrate(dataSource, LAYOUT);
  }

  @BeforeEach
  void emptyTables() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection
          .createStatement()
          .execute("TRUNCATE postcommit_outbox, postcommit_outbox_claim RESTART IDENTITY");
    }
  }

  @AfterAll
  void stopServer() {
    server.close();
  }

  private OutboxStore store() {
    return OutboxStore.of(dataSource, LAYOUT, UUID.randomUUID());
  }

  private static ClaimRequest upTo(int events) {
    return ClaimRequest.of(events, Duration.ofMinutes(5), 3);
  }

  private void enqueueEvents() throws SQLException {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(Event.builder("crash").aggregate("a", "k" + i).json("{}").build());
    }
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      Outbox.create().enqueueAll(tx, events);
      tx.commit();
    }
  }

  private static List<String> ids(Claim claim) {
    return claim.events().stream().map(StoredEvent::id).toList();
  }

  /** A store that has seen claims come and go whose numbers a crash makes forgotten. */
  private OutboxStore storeThatKnowsOfHighClaims() throws SQLException {
    enqueueEvents();
    OutboxStore store = store();
    for (int i = 0; i < EVENTS; i++) {
      Claim claim = store.claim(upTo(1));
      store.ack(claim, ids(claim).get(0));
    }
    assertThat(store.claim(upTo(1)).isEmpty()).isTrue();
    return store;
  }

  private void claimsAreSeen(OutboxStore store) {
    List<String> others = ids(store().claim(upTo(EVENTS / 2)));
    assertThat(others).as("events whose delivery is forgotten").hasSize(EVENTS / 2);
    assertThat(ids(store.claim(upTo(EVENTS))))
        .hasSize(EVENTS / 2)
        .doesNotContainAnyElementsOf(others);
  }

  @Test
  @DisplayName("R16: after a crash nobody claims what another has claimed under a lower number")
  void numbersOfClaimsAreGivenOutAgainAfterACrash() throws SQLException {
    OutboxStore store = storeThatKnowsOfHighClaims();
    server.stopImmediate();
    server.restart();
    claimsAreSeen(store);
  }

  @Test
  @DisplayName("R16: nor after the crash of one session, which Postgres survives")
  void numbersOfClaimsAreGivenOutAgainAfterTheCrashOfASession() throws SQLException {
    OutboxStore store = storeThatKnowsOfHighClaims();
    server.crashASession();
    claimsAreSeen(store);
  }
}
