package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.SHORT;
import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Transactions that overlap in every way, step by step, and what a reader of the log is given. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogWindowIT {
  private LogTable log;
  private OutboxStore store;

  @BeforeAll
  void createTable() {
    log = LogTable.create();
    log.execute("CREATE TABLE orders (id int PRIMARY KEY)");
  }

  @BeforeEach
  void emptyTable() {
    log.reset();
    log.execute("TRUNCATE orders");
    store = log.store();
    assertThat(drain(store)).isEmpty();
  }

  @AfterAll
  void dropTable() {
    log.close();
  }

  @Test
  @DisplayName("R1: an event is not lost if one with a higher number is committed first")
  void aLowerNumberMayBeCommittedLater() throws SQLException {
    try (Session first = log.session();
        Session second = log.session()) {
      String low = first.write("a");
      String high = second.write("b");
      second.commit();
      assertThat(drain(store)).containsExactly(high);

      first.commit();
      assertThat(drain(store)).containsExactly(low);
    }
  }

  @Test
  @DisplayName("R1: an event is not lost if its transaction got its id long before its number")
  void anEarlyIdMayHaveALateNumber() throws SQLException {
    try (Session early = log.session()) {
      early.run("INSERT INTO orders VALUES (1)");
      List<String> others = log.enqueue("b", 3);
      assertThat(drain(store)).isEqualTo(others);

      String late = early.write("a");
      others = log.enqueue("b", 3);
      assertThat(drain(store)).isEqualTo(others);
      early.commit();
      assertThat(drain(store)).containsExactly(late);
    }
  }

  @Test
  @DisplayName("R1: an event is not lost if a snapshot knows nothing of its transaction's id")
  void anIdAtOrAboveXmaxMayHaveALowNumber() throws SQLException {
    try (Session open = log.session()) {
      List<String> before = log.enqueue("b", 1);
      String low = open.write("a");
      assertThat(drain(store)).isEqualTo(before);
      assertThat(log.cursor("pg_snapshot_xmax(seen)::text::bigint"))
          .as("xmax of the snapshot")
          .isLessThanOrEqualTo(open.xid());

      List<String> after = log.enqueue("b", 3);
      assertThat(drain(store, upTo(1))).isEqualTo(after);
      open.commit();
      assertThat(drain(store)).containsExactly(low);
    }
  }

  @Test
  @DisplayName("R1, R40: a long transaction delays its own events and no others")
  void aLongTransactionDelaysItsOwnEventsOnly() throws SQLException {
    try (Session open = log.session()) {
      List<String> own = new ArrayList<>(List.of(open.write("a"), open.write("a")));
      for (int i = 0; i < 30; i++) {
        List<String> others = log.enqueueAtOnce("b", 100);
        assertThat(drain(store)).isEqualTo(others);
      }
      own.add(open.write("a"));
      String last = log.enqueue("b", 1).get(0);
      own.add(open.write("a"));
      open.commit();
      own.add(3, last);
      assertThat(drain(store)).isEqualTo(own);
    }
  }

  @Test
  @DisplayName("R1: the events of savepoints that are kept come, those of others are no phantoms")
  void savepointsAreKeptOrRolledBack() throws SQLException {
    try (Session session = log.session()) {
      session.run("SAVEPOINT one");
      String kept = session.write("a");
      session.run("RELEASE one");
      session.run("SAVEPOINT two");
      session.write("a");
      List<String> others = log.enqueue("b", 2);
      assertThat(drain(store)).isEqualTo(others);
      session.run("ROLLBACK TO two");
      session.run("SAVEPOINT three");
      String last = session.write("a");
      session.commit();
      assertThat(drain(store)).containsExactly(kept, last);
    }
  }

  @Test
  @DisplayName("R1: numbers that were rolled back are neither waited for nor delivered")
  void rolledBackNumbersAreNotWaitedFor() throws SQLException {
    List<String> ids = new ArrayList<>();
    try (Session session = log.session()) {
      for (int i = 0; i < 5; i++) {
        session.write("a");
        session.rollback();
        ids.add(session.write("a"));
        session.commit();
      }
    }
    assertThat(drain(store, upTo(2))).isEqualTo(ids);
  }

  @Test
  @DisplayName("R1: nothing stalls while other work holds the horizon of old rows open")
  void anOpenHorizonStallsNothing() throws SQLException {
    try (Session reader = log.session();
        Session writer = log.session()) {
      reader.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      reader.run("SELECT count(*) FROM orders");
      writer.run("INSERT INTO orders VALUES (1)");
      for (int i = 0; i < 20; i++) {
        List<String> ids = log.enqueue("a", 3);
        assertThat(drain(store, upTo(1))).isEqualTo(ids);
      }
    }
  }

  @Test
  @DisplayName("R1, R40: a relay that takes over in a window goes on where it was settled")
  void aWindowIsTakenOverHalfWay() throws SQLException {
    store.close();
    try (Session open = log.session();
        Session later = log.session()) {
      String own = open.write("x");
      List<String> ids = new ArrayList<>(log.enqueue("a", 1));
      String late = later.write("y");
      ids.addAll(log.enqueue("a", 9));
      OutboxStore first = log.store();
      Claim claim = first.claim(upTo(4, SHORT));
      assertThat(ids(claim)).isEqualTo(ids.subList(0, 4));
      ids.subList(0, 2).forEach(id -> first.ack(claim, id));
      later.commit();

      OutboxStore second = log.store();
      List<String> rest = new ArrayList<>(ids.subList(2, 10));
      rest.add(late);
      assertThat(drain(second, rest)).isEqualTo(rest);
      open.commit();
      assertThat(drain(second)).containsExactly(own);
    }
  }

  @Test
  @DisplayName("R1: a relay that takes over looks for transactions that were old already")
  void oldTransactionsAreTakenOver() throws SQLException {
    try (Session open = log.session()) {
      String own = open.write("x");
      for (int i = 0; i < 30; i++) {
        log.enqueueAtOnce("b", 100);
        assertThat(drain(store)).hasSize(100);
      }
      assertThat(log.cursor("floor"))
          .isGreaterThan(log.number("SELECT max(seq) - 1000 FROM postcommit_log"));
      store.close();
      OutboxStore second = log.store();
      List<String> next = log.enqueue("b", 2);
      assertThat(drain(second)).isEqualTo(next);
      second.close();
      OutboxStore third = log.store();
      open.commit();
      assertThat(drain(third)).containsExactly(own);
    }
  }

  @Test
  @DisplayName("R40: the rows of one statement come in its order")
  void theRowsOfAStatementKeepItsOrder() {
    log.execute(
        """
        INSERT INTO postcommit_log (id, topic, type, key, payload)
        SELECT gen_random_uuid(), 't', lpad(n::text, 4, '0'), 'a', '1'
        FROM generate_series(500, 1, -1) AS n ORDER BY n""");
    log.execute(
        """
        INSERT INTO postcommit_log (id, topic, type, key, payload) VALUES
        (gen_random_uuid(), 't', '0501', 'a', '1'), (gen_random_uuid(), 't', '0502', 'a', '1')""");

    List<String> types = new ArrayList<>();
    for (Claim claim = store.claim(upTo(90)); !claim.isEmpty(); claim = store.claim(upTo(90))) {
      for (var event : claim.events()) {
        types.add(event.type());
        store.ack(claim, event.id());
      }
    }
    assertThat(types).hasSize(502).isSorted();
  }
}
