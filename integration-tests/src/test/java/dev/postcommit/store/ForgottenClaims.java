package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Claims that the database still has after a crash and that nobody works on: their relay was never
 * told of them, could not read them, or settled them and the crash undid that. The relay is alive,
 * so their keys must not wait for the lease, which lasts five minutes here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ForgottenClaims {
  private final LayoutSample sample;
  private PostgresServer server;
  private DataSource dataSource;
  private RelayStore store;

  /** Keys of its own for each test: claims of others are still there. */
  private int test;

  ForgottenClaims(LayoutSample sample) {
    this.sample = sample;
  }

  @BeforeAll
  void startServer() {
    // Nothing is flushed but by a commit that waits for it.
    server = PostgresServer.builder().setting("wal_writer_delay", "10s").start();
    // A pool would have each test wait for it while the server is down.
    PGSimpleDataSource connections = new PGSimpleDataSource();
    connections.setUrl(server.jdbcUrl());
    connections.setUser(server.username());
    dataSource = connections;
    OutboxMigration.migrate(dataSource, sample.layout());
  }

  @BeforeEach
  void emptyTables() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.createStatement().execute("DELETE FROM " + sample.layout().table().sql());
    }
    test++;
    store = store();
  }

  @AfterAll
  void stopServer() {
    server.close();
  }

  private RelayStore store() {
    return Stores.open(dataSource, sample.layout(), UUID.randomUUID());
  }

  private static ClaimRequest all() {
    return ClaimRequest.of(10, Duration.ofMinutes(5), 3);
  }

  /** Its commit also writes to disk what claims and settlements before it did. */
  private String enqueue(String key) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      String id =
          Outbox.builder(sample.layout())
              .build()
              .enqueue(tx, sample.event().apply(key + test).json("{}").build())
              .id()
              .toString();
      tx.commit();
      return id;
    }
  }

  private void crash() {
    server.stopImmediate();
    server.restart();
  }

  private static List<String> ids(Claim claim) {
    return claim.events().stream().map(StoredEvent::id).toList();
  }

  /**
   * What the store claims now; the first claim after a crash may only notice that there was one.
   */
  private List<String> claimed() {
    Claim claim = store.claim(all());
    return ids(claim.isEmpty() ? store.claim(all()) : claim);
  }

  @Test
  @DisplayName(
      "R16: events that could not be read because the database crashed are claimed again at once")
  void whatCouldNotBeReadIsClaimedAgain() throws SQLException {
    String first = enqueue("a");
    Taken taken = store.take(all());
    assertThat(taken.size()).isEqualTo(1);
    String second = enqueue("a");
    server.stopImmediate();
    assertThatThrownBy(taken::read).isInstanceOf(PostcommitException.class);
    server.restart();

    assertThat(claimed()).containsExactly(first, second);
  }

  @Test
  @DisplayName("R16: events whose settlement a crash undid are claimed again at once")
  void aForgottenSettlementDoesNotBlockItsKey() throws SQLException {
    String first = enqueue("a");
    Claim claim = store.claim(all());
    String second = enqueue("a");
    store.ack(claim, first);
    crash();

    assertThat(claimed()).containsExactly(first, second);
    assertThat(store.claim(all()).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("R16: a claim whose answer got lost is given back by the next one")
  void aClaimWhoseAnswerGotLostIsGivenBack() throws SQLException {
    String first = enqueue("a");
    UUID worker = UUID.randomUUID();
    store = Stores.open(dataSource, sample.layout(), worker);
    // Stands for the one that the store made and did not hear of.
    RelayStore unheard = Stores.open(dataSource, sample.layout(), worker);
    assertThat(unheard.take(all()).size()).isEqualTo(1);
    String second = enqueue("a");
    server.stopImmediate();
    assertThatThrownBy(() -> store.take(all())).isInstanceOf(PostcommitException.class);
    server.restart();

    assertThat(claimed()).containsExactly(first, second);
  }

  @Test
  @DisplayName("R18: a crash ends no claim that is being worked on, nor that of another relay")
  void claimsThatAreHeldStay() throws SQLException {
    String mine = enqueue("a");
    Claim claim = store.claim(all());
    assertThat(ids(claim)).containsExactly(mine);
    String others = enqueue("b");
    Claim other = store().claim(all());
    assertThat(ids(other)).containsExactly(others);
    enqueue("a");
    enqueue("b");
    crash();

    assertThat(claimed()).isEmpty();
    store.ack(claim, mine);
    assertThat(claimed()).hasSize(1);
  }

  @Test
  @DisplayName("R20: a settlement from before a crash does not end a claim that was made after it")
  void aSettlementFromBeforeACrashEndsNothing() throws SQLException {
    String id = enqueue("a");
    Claim undone = store.claim(all());
    assertThat(ids(undone)).containsExactly(id);
    crash();
    Claim first = store.claim(all());
    Claim next = first.isEmpty() ? store.claim(all()) : first;
    assertThat(ids(next)).containsExactly(id);

    assertThatThrownBy(() -> store.settle(undone, List.of(new Outcome.Released(id))))
        .isInstanceOf(LeaseLostException.class);

    assertThat(store().claim(all()).isEmpty()).isTrue();
    store.ack(next, id);
  }
}
