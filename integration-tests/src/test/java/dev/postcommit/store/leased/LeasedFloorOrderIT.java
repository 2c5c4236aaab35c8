package dev.postcommit.store.leased;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.SentStatements;
import dev.postcommit.internal.store.DeferredEvents;
import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Events that appear below the age from which claims look, in a table whose settled rows cannot be
 * cleaned up.
 */
class LeasedFloorOrderIT extends LayoutFixture {
  /** So many that claims do not walk over them each time. */
  private static final int SETTLED = 25_000;

  /** Longer than claims look back for the sake of transactions that have just begun. */
  private static final Duration LONGER_THAN_CLAIMS_LOOK_BACK = Duration.ofMillis(1_800);

  private final List<String> statements = new CopyOnWriteArrayList<>();

  private Connection holder;

  LeasedFloorOrderIT() {
    super(Samples.MODKIT);
  }

  @BeforeEach
  void hold() throws SQLException {
    statements.clear();
    holder = dataSource().getConnection();
    holder.setAutoCommit(false);
    holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    run(holder, "SELECT pg_current_xact_id()");
    execute(
        """
        INSERT INTO modkit_outbox_events (id, namespace, topic, payload, status, created_at)
        SELECT gen_random_uuid(), 'n', 't', '{}', 'pending', now() - interval '1 hour'
        FROM generate_series(1, %d)"""
            .formatted(SETTLED));
    execute("UPDATE modkit_outbox_events SET status = 'delivered'");
  }

  @AfterEach
  void letGo() throws SQLException {
    holder.rollback();
    holder.close();
  }

  @Test
  @DisplayName("R40: an event of a long transaction comes before a later one of its key")
  void anEventOfALongTransactionKeepsItsPlace() throws SQLException {
    OutboxStore store = watched();
    OutboxStore other = watched();
    List<String> early = new ArrayList<>();
    try (Connection slow = dataSource().getConnection()) {
      slow.setAutoCommit(false);
      early.add(outbox().enqueue(slow, small("a")).id().toString());
      raiseTheFloor(store, other);
      slow.commit();
    }
    String late = enqueue("a", 1).get(0);

    Claim claim = other.claim(upTo(10));
    assertThat(ids(claim)).containsExactly(early.get(0), late);
    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
    deliver(other, claim);
    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("R40: a replayed event comes before a later one of its key")
  void aReplayedEventKeepsItsPlace() {
    String early = enqueue("a", 1).get(0);
    OutboxStore store = watched();
    store.settle(store.claim(upTo(1)), List.of(new Outcome.Dead(early, "never")));
    raiseTheFloor(store);

    admin().replay(DeadFilter.all(), new Decision("alice", null));
    String late = enqueue("a", 1).get(0);

    assertThat(ids(store.claim(upTo(10)))).containsExactly(early, late);
  }

  @Test
  @DisplayName("R40: a replayed event in flight holds back later ones of its key in other relays")
  void aReplayedEventInFlightHoldsBackLaterOnes() {
    String early = enqueue("a", 1).get(0);
    OutboxStore store = watched();
    OutboxStore other = watched();
    store.settle(store.claim(upTo(1)), List.of(new Outcome.Dead(early, "never")));
    raiseTheFloor(store, other);

    admin().replay(DeadFilter.all(), new Decision("alice", null));
    Claim claim = store.claim(upTo(10));
    assertThat(ids(claim)).containsExactly(early);
    enqueue("a", 1);

    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
    assertThat(other.claim(upTo(10)).isEmpty()).isTrue();
    raiseTheFloor(store, other);
    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
    assertThat(other.claim(upTo(10)).isEmpty()).isTrue();
    store.settle(claim, List.of(new Outcome.Delivered(early)));
    assertThat(other.claim(upTo(10)).events()).hasSize(1);
  }

  @Test
  @DisplayName("R40: an event that waits for its retry holds back later ones of its key")
  void anEventThatWaitsKeepsItsPlace() {
    OutboxStore store = watched();
    String early = enqueue("a", 1).get(0);
    store.settle(
        store.claim(upTo(1)), List.of(new Outcome.Retry(early, "no", Duration.ofHours(1))));
    raiseTheFloor(store);
    String late = enqueue("a", 1).get(0);
    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();

    execute(
        "UPDATE modkit_outbox_events SET next_attempt_at = created_at WHERE id = '%s'"
            .formatted(early));
    assertThat(ids(store.claim(upTo(10)))).containsExactly(early, late);
  }

  @Test
  @DisplayName("R40: an event whose topic takes messages again comes before a later one of its key")
  void aReleasedEventKeepsItsPlace() {
    OutboxStore store = watched();
    String early = enqueue("a", 1).get(0);
    store.settle(store.claim(upTo(1)), List.of(new Outcome.Retry(early, "no", Duration.ZERO)));
    store.settle(
        claimSoon(store),
        List.of(
            new Outcome.Deferred(
                early, DeferredEvents.error("t", "it does not exist"), Duration.ofHours(1))));
    raiseTheFloor(store);

    assertThat(new DeferredEvents(dataSource(), layout()).release("t")).isEqualTo(1);
    String late = enqueue("a", 1).get(0);

    assertThat(ids(store.claim(upTo(10)))).containsExactly(early, late);
  }

  @Test
  @DisplayName("R40: an event older than its transaction is claimed late, and not missed")
  void anEventOlderThanItsTransactionIsNotMissed() {
    OutboxStore store = watched();
    awaitUntil(
        () -> {
          deliverOthers(store);
          return statements.stream().anyMatch(LeasedFloorOrderIT::hasFloor);
        });
    String old = enqueue("a", 1).get(0);
    execute(
        "UPDATE modkit_outbox_events SET created_at = now() - interval '1 day' WHERE id = '%s'"
            .formatted(old));
    execute(
        "UPDATE modkit_outbox_events SET next_attempt_at = created_at WHERE id = '%s'"
            .formatted(old));

    assertThat(ids(claimSoon(store))).containsExactly(old);
  }

  /** A store of a new worker whose statements are taken down. */
  private OutboxStore watched() {
    return OutboxStore.of(SentStatements.of(dataSource(), statements), layout(), UUID.randomUUID());
  }

  /** Delivers others until claims do not look from the beginning any more. */
  private void raiseTheFloor(OutboxStore... stores) {
    long until = System.nanoTime() + LONGER_THAN_CLAIMS_LOOK_BACK.toNanos();
    while (System.nanoTime() < until) {
      deliverOthers(stores);
    }
    assertThat(statements)
        .as("claims that look from a floor")
        .anyMatch(LeasedFloorOrderIT::hasFloor);
  }

  private static boolean hasFloor(String statement) {
    return statement.contains("AS floor");
  }

  private void deliverOthers(OutboxStore... stores) {
    for (OutboxStore store : stores) {
      enqueue("other", 1);
      deliver(store, store.claim(upTo(10)));
    }
  }

  private static void deliver(OutboxStore store, Claim claim) {
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
  }

  private static void run(Connection tx, String sql) throws SQLException {
    try (Statement statement = tx.createStatement()) {
      statement.execute(sql);
    }
  }
}
