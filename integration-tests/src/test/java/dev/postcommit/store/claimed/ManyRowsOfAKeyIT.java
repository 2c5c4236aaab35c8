package dev.postcommit.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What many rows of a key that cannot be claimed cost the claims of other keys. */
class ManyRowsOfAKeyIT {
  private static final int ROWS = Integer.getInteger("hot.rows", 60_000);
  private static final int CLAIMS = 40;
  private static final int BATCH = 50;

  /** Of the advisory locks that serialise claims. */
  private static final int LOCK_SPACE = 1_886_352_244;

  @Nested
  class Native extends ManyRows {
    Native() {
      super(Samples.NATIVE);
    }

    @Test
    @DisplayName("R6: a busy key with many rows costs the claims of other keys nothing")
    void aBusyKeyCostsOthersNothing() throws SQLException {
      OutboxStore store = store();
      double without = claimMicros(store);
      write("hot", ROWS);
      assertThat(store.claim(upTo(BATCH)).events()).hasSize(BATCH);
      reach(store);
      double with = claimMicros(store);

      assertCheap(with, without);
    }

    @Test
    @DisplayName("R1, R6: a batch that is given back is claimed again before what is behind it")
    void aBatchThatIsGivenBackComesFirst() throws SQLException {
      List<String> ids = write("hot", 10_000);
      OutboxStore store = store();
      Claim claim = store.claim(upTo(BATCH));
      reach(store);
      store.settle(claim, ids(claim).stream().<Outcome>map(Outcome.Released::new).toList());

      assertThat(ids(store.claim(upTo(BATCH)))).isEqualTo(ids.subList(0, BATCH));
    }

    @Test
    @DisplayName("R1: a transaction that commits late among rows that are gone past is seen")
    void aLateCommitAmongThemIsSeen() throws SQLException {
      stick("hot");
      write("hot", 3_000);
      String late;
      try (Connection open = dataSource().getConnection()) {
        open.setAutoCommit(false);
        late = outbox().enqueue(open, event("late").json("1").build()).id().toString();
        write("hot", 10_000);
        OutboxStore store = store();
        reach(store);
        claimMicros(store);
        open.commit();
        assertThat(ids(claimSoon(store))).containsExactly(late);
      }
    }
  }

  @Nested
  class BesideALog extends ManyRows {
    /** A look at diverted events that comes to nothing is followed by another within that time. */
    private static final Duration LONGEST_REST = Duration.ofMillis(400);

    BesideALog() {
      super(Samples.LOG);
    }

    @Test
    @DisplayName("R6, R40: events of the log do not wait for a look at the rows of a stuck key")
    void eventsOfTheLogDoNotWaitForALookAtThem() throws SQLException {
      stick("hot");
      write("hot", 10_000);
      OutboxStore store = store();
      reach(store);
      awaitFruitlessLook(store);
      try (Connection holder = dataSource().getConnection()) {
        holder.setAutoCommit(false);
        lockClaims(holder);
        awaitUntil(
            () -> {
              assertThat(claimNew(store)).isTrue();
              return isLookWaiting();
            });
        for (int i = 0; i < CLAIMS; i++) {
          assertThat(claimNew(store)).as("while a look waits").isTrue();
        }
        assertThat(isLookWaiting()).isTrue();
        holder.rollback();
      }

      write("behind", 1);
      assertThat(claimSoon(store).events()).hasSize(1);
    }

    @Test
    @DisplayName("R6: a store that is closed looks at the rows of a stuck key no more")
    void aClosedStoreLooksNoMore() throws SQLException {
      stick("hot");
      write("hot", ROWS);
      OutboxStore store = store();
      awaitUntil(
          () -> {
            assertThat(store.claim(upTo(BATCH)).isEmpty()).isTrue();
            return isSurveying();
          });
      store.close();
      awaitUntil(() -> !isSurveying());
      assertThat(admin().status().pending()).isEqualTo(ROWS + 1);
    }

    private static boolean isSurveying() {
      return Thread.getAllStackTraces().keySet().stream()
          .anyMatch(thread -> thread.getName().equals("postcommit-postcommit_log-diverted"));
    }

    private void awaitFruitlessLook(OutboxStore store) {
      long start = System.nanoTime();
      awaitUntil(
          () -> {
            assertThat(store.claim(upTo(BATCH)).isEmpty()).isTrue();
            return System.nanoTime() - start > LONGEST_REST.toNanos();
          });
    }

    /** Writes an event to the log; returns whether it is claimed at once, and delivers it. */
    private boolean claimNew(OutboxStore store) {
      String id = enqueue("other", 1).get(0);
      Claim claim = store.claim(upTo(BATCH));
      store.settle(claim, ids(claim).stream().<Outcome>map(Outcome.Delivered::new).toList());
      return ids(claim).equals(List.of(id));
    }

    /** Keeps everybody from claiming diverted events. */
    private void lockClaims(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "SELECT pg_advisory_xact_lock(%d, CAST(CAST(CAST('%s' AS regclass) AS oid) AS int))"
                .formatted(LOCK_SPACE, table()));
      }
    }

    private boolean isLookWaiting() throws SQLException {
      try (Connection connection = dataSource().getConnection();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  """
                  SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                    AND classid = %d AND objid = CAST('%s' AS regclass)"""
                      .formatted(LOCK_SPACE, table()))) {
        row.next();
        return row.getInt(1) > 0;
      }
    }
  }

  abstract static class ManyRows extends LayoutFixture {
    ManyRows(LayoutSample sample) {
      super(sample);
    }

    @Test
    @DisplayName("R6, R40: a stuck key with many rows costs the claims of other keys nothing")
    void aStuckKeyCostsOthersNothing() throws SQLException {
      OutboxStore store = store();
      double without = claimMicros(store);
      stick("hot");
      write("hot", ROWS);
      execute("VACUUM (ANALYZE) " + table());
      reach(store);
      double with = claimMicros(store);

      assertCheap(with, without);
    }

    @Test
    @DisplayName("R1, R6: once the event they wait for is settled they are claimed, in order")
    void theyAreClaimedOnceTheirTimeHasCome() throws SQLException {
      String first = stick("hot");
      List<String> ids = write("hot", 10_000);
      OutboxStore store = store();
      reach(store);
      execute("UPDATE %s SET due_at = now() WHERE id = '%s'".formatted(table(), first));
      Claim retried = claimSoon(store);
      assertThat(ids(retried)).containsExactly(first);
      assertThat(ids(store.claim(upTo(BATCH)))).isEmpty();
      store.settle(retried, List.of(new Outcome.Dead(first, "no")));

      List<String> claimed = new ArrayList<>();
      awaitUntil(
          () -> {
            Claim claim = store.claim(upTo(500));
            claimed.addAll(ids(claim));
            store.settle(claim, ids(claim).stream().<Outcome>map(Outcome.Delivered::new).toList());
            return claimed.size() >= ids.size();
          });
      assertThat(claimed).isEqualTo(ids);
    }

    @Test
    @DisplayName("R1, R6: an event among them that is replayed is claimed")
    void aReplayedEventAmongThemIsClaimed() throws SQLException {
      stick("hot");
      write("hot", 5_000);
      String dead = write("other", 1).get(0);
      execute(
          "UPDATE %s SET status = 'dead', last_error = 'no' WHERE id = '%s'"
              .formatted(table(), dead));
      write("hot", 5_000);
      OutboxStore store = store();
      reach(store);
      admin().replay(DeadFilter.all(), new Decision("ada", null));

      assertThat(ids(claimSoon(store))).containsExactly(dead);
    }

    final String table() {
      return settled().table().sql();
    }

    /** Writes an event that waits for its retry. */
    final String stick(String key) throws SQLException {
      String id = write(key, 1).get(0);
      execute(
          "UPDATE %s SET due_at = now() + interval '1 hour', attempts = 1, last_error = 'no' WHERE id = '%s'"
              .formatted(table(), id));
      return id;
    }

    /** Writes rows as a relay leaves them that diverts them, or as a writer does. */
    final List<String> write(String key, int count) throws SQLException {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ids.add(new UUID(System.nanoTime(), i).toString());
      }
      try (Connection connection = dataSource().getConnection();
          PreparedStatement insert =
              connection.prepareStatement(
                  """
                  INSERT INTO %s (id, topic, type, key, payload)
                  SELECT CAST(i AS uuid), 't', 't', ?, '\\x31'
                  FROM unnest(?) WITH ORDINALITY AS u(i, n) ORDER BY n"""
                      .formatted(table()))) {
        insert.setString(1, key);
        insert.setArray(2, connection.createArrayOf("text", ids.toArray()));
        insert.executeUpdate();
      }
      return ids;
    }

    /** Claims until something behind them is found, and delivers it. */
    final void reach(OutboxStore store) throws SQLException {
      write("behind", 1);
      awaitUntil(
          () -> {
            Claim claim = store.claim(upTo(BATCH));
            store.settle(claim, ids(claim).stream().<Outcome>map(Outcome.Delivered::new).toList());
            return !claim.isEmpty();
          });
    }

    /** What a claim takes when nothing disturbs it. */
    final double claimMicros(OutboxStore store) {
      double[] micros = new double[CLAIMS];
      for (int i = 0; i < CLAIMS; i++) {
        List<Event> events = new ArrayList<>();
        for (int n = 0; n < BATCH; n++) {
          events.add(event("other-" + n).json("1").build());
        }
        transaction(tx -> outbox().enqueueAll(tx, events));
        List<String> claimed = new ArrayList<>();
        long start = System.nanoTime();
        while (claimed.size() < BATCH) {
          Claim claim = store.claim(upTo(BATCH));
          claimed.addAll(ids(claim));
          store.settle(claim, ids(claim).stream().<Outcome>map(Outcome.Delivered::new).toList());
          assertThat(Duration.ofNanos(System.nanoTime() - start))
              .isLessThan(Duration.ofSeconds(20));
        }
        micros[i] = (System.nanoTime() - start) / 1e3;
      }
      Arrays.sort(micros);
      return micros[CLAIMS / 2];
    }

    static void assertCheap(double with, double without) {
      assertThat(with)
          .as("to claim and settle: %.0f us with many rows, %.0f us without", with, without)
          .isLessThan(Math.max(without * 2, without + 3_000));
    }
  }
}
