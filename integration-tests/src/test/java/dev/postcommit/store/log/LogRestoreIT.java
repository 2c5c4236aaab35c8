package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Event;
import dev.postcommit.RetryPolicy;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.PGConnection;

/**
 * A log that is restored from a dump into another cluster, whose transaction ids are lower, or
 * higher, than those in its rows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogRestoreIT {
  private static final List<String> TABLES =
      List.of("postcommit_log", "postcommit_log_dedupe", "postcommit_log_diverted");

  /** So many transactions later ids of the one cluster are above those of the other. */
  private static final int APART = 3_000;

  private PostgresServer low;
  private LogTable source;
  private LogTable target;
  private final List<LogTable> tables = new ArrayList<>();

  @BeforeAll
  void startServer() {
    low = PostgresServer.start();
    try (LogTable shared = LogTable.create()) {
      shared.execute(
          "DO $$ BEGIN FOR i IN 1..%d LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
              .formatted(APART));
    }
  }

  @AfterAll
  void stopServer() {
    low.close();
  }

  @BeforeEach
  void forgetTables() {
    tables.clear();
  }

  @AfterEach
  void dropTables() {
    tables.forEach(LogTable::close);
  }

  private void between(PostgresServer from, PostgresServer to) {
    source = LogTable.create(from);
    target = LogTable.create(to);
    tables.addAll(List.of(source, target));
  }

  /** What pg_dump and pg_restore do. */
  private void restore() throws SQLException, IOException {
    target.execute("DELETE FROM postcommit_log_cursor");
    // The servers of the testkit are copies of one cluster, and so have its identity.
    source.execute("UPDATE postcommit_log_cursor SET system = system + 1");
    try (Connection out = source.dataSource().getConnection();
        Connection in = target.dataSource().getConnection()) {
      for (String table : TABLES) {
        copy(out, in, table);
      }
      copy(out, in, "postcommit_log_cursor");
    }
    for (String sequence : List.of("postcommit_log_seq", "postcommit_log_diverted_seq_seq")) {
      target.execute(
          "SELECT setval('%s', %s)"
              .formatted(sequence, source.query("SELECT last_value FROM " + sequence)));
    }
  }

  private static void copy(Connection out, Connection in, String table)
      throws SQLException, IOException {
    StringWriter rows = new StringWriter();
    out.unwrap(PGConnection.class)
        .getCopyAPI()
        .copyOut("COPY (SELECT * FROM %s) TO STDOUT".formatted(table), rows);
    in.unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY %s FROM STDIN".formatted(table), new StringReader(rows.toString()));
  }

  /** Half of a window is delivered, an event is diverted, and a transaction came late. */
  private void partlyDelivered() throws SQLException, IOException {
    OutboxStore store = source.store();
    List<String> before = source.enqueue("a", 20);
    List<String> rest;
    try (Session straggler = source.session()) {
      String late = straggler.write("s");
      before.addAll(source.enqueue("b", 3));
      assertThat(drain(store)).isEqualTo(before);
      rest = new ArrayList<>(source.enqueue("a", 5));
      Claim claim = store.claim(upTo(9));
      assertThat(ids(claim)).isEqualTo(rest);
      rest.subList(0, 2).forEach(id -> store.ack(claim, id));
      store.nack(claim, rest.get(2), "no", RetryPolicy.DEFAULT);
      straggler.commit();
      rest.add(late);
    }
    store.close();
    restore();
    rest.addAll(target.enqueue("a", 4));

    OutboxStore next = target.store();
    List<String> delivered = drain(next, rest.subList(2, rest.size()));
    List<String> ofA = new ArrayList<>(rest.subList(2, rest.size()));
    ofA.remove(rest.get(5));
    assertThat(delivered.stream().filter(ofA::contains).distinct()).isEqualTo(ofA);
    assertThat(delivered)
        .as("delivered long before")
        .doesNotContainAnyElementsOf(before.subList(0, 10));
    goesOn(next);
  }

  /** What comes afterwards is delivered once, though the ids of old rows come up again. */
  private void goesOn(OutboxStore store) {
    target.execute(
        "DO $$ BEGIN FOR i IN 1..%d LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
            .formatted(APART * 2));
    List<String> more = target.enqueue("a", 3);
    assertThat(drain(store)).isEqualTo(more);
    target.execute("UPDATE postcommit_log SET created_at = now() - interval '9 days'");
    target.admin().prune(Duration.ofDays(1), 5);
    assertThat(target.number("SELECT count(*) FROM postcommit_log")).as("rows left").isZero();
  }

  @Test
  @DisplayName("R1, R40: nothing is lost or reordered where transaction ids are lower")
  void restoredWhereIdsAreLower() throws SQLException, IOException {
    between(PostgresServer.shared(), low);
    partlyDelivered();
  }

  @Test
  @DisplayName("R1, R40: nothing is lost or reordered where transaction ids are higher")
  void restoredWhereIdsAreHigher() throws SQLException, IOException {
    between(low, PostgresServer.shared());
    partlyDelivered();
  }

  private void dedupeKeys() throws SQLException, IOException {
    Event once = Event.builder("happened").key("a").dedupeKey("once").json("1").build();
    OutboxStore store = source.store();
    source.enqueueAll(
        List.of(Event.builder("happened").key("a").dedupeKey("before").json("1").build()));
    assertThat(drain(store)).hasSize(1);
    store.close();
    source.enqueueAll(List.of(once));
    source.execute("UPDATE postcommit_log_dedupe SET created_at = now() - interval '9 days'");
    restore();
    target.admin().prune(Duration.ofDays(1), 5);
    OutboxStore next = target.store();
    Claim claim = next.claim(upTo(9));
    target.admin().prune(Duration.ofDays(1), 5);
    assertThat(target.enqueueAll(List.of(once))).as("enqueued again").hasSize(1);
    assertThat(target.number("SELECT count(*) FROM postcommit_log WHERE dedupe_key = 'once'"))
        .isEqualTo(1);

    next.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    assertThat(ids(claim)).contains(once.id().toString());
    target.execute(
        "DO $$ BEGIN FOR i IN 1..%d LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
            .formatted(APART * 2));
    target.admin().prune(Duration.ofDays(1), 5);
    assertThat(target.number("SELECT count(*) FROM postcommit_log_dedupe")).isZero();
  }

  @Test
  @DisplayName("R46: dedupe keys last until their events are delivered where ids are lower")
  void dedupeKeysWhereIdsAreLower() throws SQLException, IOException {
    between(PostgresServer.shared(), low);
    dedupeKeys();
  }

  @Test
  @DisplayName("R46: dedupe keys last until their events are delivered where ids are higher")
  void dedupeKeysWhereIdsAreHigher() throws SQLException, IOException {
    between(low, PostgresServer.shared());
    dedupeKeys();
  }

  @Test
  @DisplayName("R1: a transaction that is open while the first relay starts is not lost")
  void anOpenTransactionIsNotLost() throws SQLException, IOException {
    between(PostgresServer.shared(), low);
    OutboxStore store = source.store();
    source.enqueue("a", 3);
    assertThat(drain(store)).hasSize(3);
    store.close();
    restore();
    try (Session open = target.session()) {
      String own = open.write("b");
      List<String> others = target.enqueue("a", 2);
      OutboxStore next = target.store();
      assertThat(drain(next, others)).containsSubsequence(others);
      open.commit();
      assertThat(drain(next)).containsExactly(own);
    }
  }

  @Test
  @DisplayName("R1: rows no relay ever saw are all delivered")
  void aLogThatWasNeverRead() throws SQLException, IOException {
    between(PostgresServer.shared(), low);
    List<String> ids = source.enqueue("a", 5);
    restore();
    ids.addAll(target.enqueue("a", 2));
    assertThat(drain(target.store(), ids)).isEqualTo(ids);
  }

  @Test
  @DisplayName("R1, R40: an old row whose id comes up again is not delivered again")
  void oldRowsAreNotDeliveredAgainWhenTheirIdsComeUp() throws SQLException, IOException {
    between(PostgresServer.shared(), low);
    OutboxStore store = source.store();
    List<String> old = source.enqueue("a", 4);
    String late;
    try (Session straggler = source.session()) {
      late = straggler.write("s");
      old.addAll(source.enqueue("a", 4));
      assertThat(drain(store)).isEqualTo(old);
      straggler.commit();
    }
    store.close();
    restore();
    OutboxStore next = target.store();
    assertThat(drain(next, List.of(late))).contains(late);
    goesOn(next);
  }

  @Test
  @DisplayName("R1: rows that were loaded without their cursor are reported, and then delivered")
  void rowsLoadedWithoutTheirCursor() throws SQLException, IOException {
    between(PostgresServer.shared(), low);
    source.execute(
        "DO $$ BEGIN FOR i IN 1..%d LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
            .formatted(APART));
    List<String> ids = source.enqueue("a", 5);
    OutboxStore store = target.store();
    assertThat(drain(store)).isEmpty();
    try (Connection out = source.dataSource().getConnection();
        Connection in = target.dataSource().getConnection()) {
      copy(out, in, "postcommit_log");
    }
    target.query("SELECT setval('postcommit_log_seq', 5)");
    // So does a store that leads already, and one that is to.
    for (OutboxStore each : List.of(store, target.store())) {
      assertThatThrownBy(
              () ->
                  LogTable.await(
                      () -> {
                        each.claim(upTo(9));
                        return false;
                      }))
          .hasMessageContaining("have transaction ids of another cluster")
          .hasMessageContaining("UPDATE postcommit_log_cursor SET system = 0");
    }
    target.execute("UPDATE postcommit_log_cursor SET system = 0");
    assertThat(drain(target.store(), ids)).isEqualTo(ids);
  }
}
