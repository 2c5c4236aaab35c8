package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.store.Claim;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A database that crashes under a relay. What was not flushed is forgotten, and with it that some
 * transaction ids were given out: they are given out again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogDatabaseCrashIT {
  private PostgresServer server;
  private LogTable log;
  private OutboxStore store;

  @BeforeAll
  void startServer() {
    server =
        PostgresServer.builder()
            .setting("max_prepared_transactions", "5")
            .setting("wal_writer_delay", "10s")
            .start();
    log = LogTable.create(server);
  }

  @BeforeEach
  void emptyTable() {
    log.reset();
    store = log.store();
    assertThat(drain(store)).isEmpty();
  }

  @AfterAll
  void stopServer() {
    log.close();
    server.close();
  }

  private void crash() {
    server.stopImmediate();
    server.restart();
  }

  /** Claims one event with a snapshot that knows of ids which a crash makes forgotten. */
  private Claim claimWithIdsThatAreForgotten() throws SQLException {
    List<String> first = log.enqueue("a", 1);
    try (Session session = log.session()) {
      for (int i = 0; i < 100; i++) {
        session.xid();
        session.commit();
      }
    }
    Claim claim = store.claim(upTo(10));
    assertThat(ids(claim)).isEqualTo(first);
    return claim;
  }

  private void goesOnAfter(Claim claim) {
    long last = log.number("SELECT max(xid::text::bigint) FROM postcommit_log");
    List<String> written = log.enqueue("b", 20);
    assertThat(log.number("SELECT max(xid::text::bigint) FROM postcommit_log"))
        .as("ids that are given out again")
        .isLessThan(last + 100);
    List<Outcome> outcomes = List.of(new Outcome.Delivered(ids(claim).get(0)));

    assertThatThrownBy(() -> store.settle(claim, outcomes)).isInstanceOf(LeaseLostException.class);
    assertThat(drain(store, written)).containsAll(ids(claim)).containsSubsequence(written);
  }

  @Test
  @DisplayName("R1: no event is lost whose transaction has an id that a crash made forgotten")
  void idsAreGivenOutAgainAfterACrash() throws SQLException {
    Claim claim = claimWithIdsThatAreForgotten();
    crash();
    goesOnAfter(claim);
  }

  @Test
  @DisplayName("R1: nor after the crash of one session, which Postgres survives")
  void idsAreGivenOutAgainAfterTheCrashOfASession() throws SQLException {
    Claim claim = claimWithIdsThatAreForgotten();
    server.crashASession();
    goesOnAfter(claim);
  }

  @Test
  @DisplayName("R1: what was diverted under ids that a crash made forgotten is diverted again")
  void nothingIsDivertedUnderForgottenIds() throws SQLException {
    Claim claim = claimWithIdsThatAreForgotten();
    String id = ids(claim).get(0);
    crash();
    List<String> later = log.enqueue("a", 2);
    Outcome retry = new Outcome.Retry(id, "not now", Duration.ofMillis(1));

    assertThatThrownBy(() -> store.settle(claim, List.of(retry)))
        .isInstanceOf(LeaseLostException.class);
    assertThat(drain(store, later)).containsSubsequence(id, later.get(0), later.get(1));
  }

  @Test
  @DisplayName("R1: a crash loses nothing, and none of an open transaction comes")
  void aCrashLosesNothing() throws SQLException {
    List<String> ids = log.enqueue("a", 10);
    Claim claim = store.claim(upTo(4));
    ids.subList(0, 2).forEach(id -> store.ack(claim, id));
    try (Session open = log.session()) {
      open.write("x");
      crash();
    }
    List<String> later = log.enqueue("a", 2);

    assertThat(drain(store, later)).containsSubsequence(ids.subList(2, 10)).endsWith(later.get(1));
    assertThat(log.admin().status().pending()).isZero();
  }

  @Test
  @DisplayName("R1: the events of a prepared transaction come when it is committed, crash or not")
  void preparedTransactions() throws SQLException {
    String committed;
    try (Session one = log.session();
        Session two = log.session()) {
      committed = one.write("a");
      one.run("PREPARE TRANSACTION 'one'");
      two.write("a");
      two.run("PREPARE TRANSACTION 'two'");
    }
    List<String> others = log.enqueue("b", 3);
    assertThat(drain(store)).isEqualTo(others);
    crash();
    others = log.enqueue("b", 1);
    assertThat(drain(store, others)).doesNotContain(committed);

    log.execute("COMMIT PREPARED 'one'");
    log.execute("ROLLBACK PREPARED 'two'");
    others = log.enqueue("b", 1);
    assertThat(drain(store)).containsExactly(committed, others.get(0));
  }

  @Test
  @DisplayName("R1: nothing is lost if the database fails while a relay takes its lease again")
  void nothingIsLostIfTheLeaseIsTakenHalfWay() {
    log.reset();
    AtomicLong clock = new AtomicLong();
    AtomicBoolean fails = new AtomicBoolean();
    try (RelayStore relay =
        Stores.open(failing(fails), LogTable.LAYOUT, UUID.randomUUID(), clock::get)) {
      List<String> written = log.enqueue("a", 2);
      assertThat(ids(relay.claim(upTo(10)))).isEqualTo(written);
      clock.addAndGet(2 * LogTable.LONG.toNanos());
      fails.set(true);
      assertThatThrownBy(() -> relay.claim(upTo(10))).isInstanceOf(PostcommitException.class);
      assertThat(fails).isFalse();

      assertThat(ids(relay.claim(upTo(10)))).isEqualTo(written);
    }
  }

  /** The database, which fails once after it has given a lease to a relay. */
  private DataSource failing(AtomicBoolean fails) {
    return JdbcProxy.of(
        DataSource.class,
        (method, arguments) -> {
          Object result = JdbcProxy.call(log.dataSource(), method, arguments);
          return result instanceof Connection connection ? failing(connection, fails) : result;
        });
  }

  private static Connection failing(Connection target, AtomicBoolean fails) {
    return JdbcProxy.of(
        Connection.class,
        (method, arguments) -> {
          boolean isCheck =
              method.getName().equals("prepareStatement")
                  && ((String) arguments[0]).contains("pg_index");
          if (isCheck && fails.getAndSet(false)) {
            throw new SQLException("the connection was lost", "08006");
          }
          return JdbcProxy.call(target, method, arguments);
        });
  }
}
