package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.layout.Role;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Order per key when the INSERT of an event has to wait in the middle. */
public abstract class WaitingInsertContract extends LayoutFixture {

  /** One in several claims looks at everything, and is right by chance. */
  private static final int ROUNDS = 3;

  /** Longer than relays keep looking at settled rows for the sake of an open transaction. */
  private static final Duration LONGER_THAN_RELAYS_WAIT = Duration.ofMillis(130);

  private static final Duration A_MOMENT = Duration.ofMillis(5);

  private static final int GATE = 4711;

  /** The contract for one layout. */
  protected WaitingInsertContract(LayoutSample sample) {
    super(sample);
  }

  /** Keeps a writer waiting. */
  @FunctionalInterface
  private interface Obstacle {
    void in(Connection tx) throws SQLException;
  }

  /** An event that waited for its dedupe key keeps its place. */
  @Test
  @DisplayName(
      "R40: an event that waited for its dedupe key comes before the later ones of its key")
  public void anEventThatWaitedForItsDedupeKeyKeepsItsPlace() throws SQLException {
    assumeTrue(layout().column(Role.DEDUPE_KEY).isPresent(), "the layout has no dedupe keys");
    OutboxStore store = store();
    for (int round = 0; round < ROUNDS; round++) {
      Event first = deduplicated(round);
      keepsItsPlace(store, round, tx -> outbox().enqueue(tx, first), deduplicated(round));
    }
  }

  /** An event that a trigger kept waiting keeps its place. */
  @Test
  @DisplayName("R40: an event that a trigger kept waiting comes before the later ones of its key")
  public void anEventThatATriggerKeptWaitingKeepsItsPlace() throws SQLException {
    execute(
        """
        CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF current_setting('test.gate', true) = 'closed' THEN
            PERFORM pg_advisory_xact_lock(%d);
          END IF;
          RETURN NEW;
        END $$"""
            .formatted(GATE));
    execute(
        "CREATE TRIGGER gate BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION wait_at_gate()"
            .formatted(layout().table().sql()));
    try {
      OutboxStore store = store();
      for (int round = 0; round < ROUNDS; round++) {
        keepsItsPlace(
            store,
            round,
            tx -> run(tx, "SELECT pg_advisory_xact_lock(" + GATE + ")"),
            small("slow"));
      }
    } finally {
      execute("DROP FUNCTION wait_at_gate CASCADE");
    }
  }

  /** Has {@code event} wait until its obstacle is gone, while others are written and delivered. */
  private void keepsItsPlace(OutboxStore store, int round, Obstacle obstacle, Event event)
      throws SQLException {
    try (Connection first = dataSource().getConnection();
        Connection second = dataSource().getConnection()) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      obstacle.in(first);
      run(second, "SET LOCAL test.gate = 'closed'");
      int session = session(second);
      CompletableFuture<Enqueued> insert =
          CompletableFuture.supplyAsync(() -> outbox().enqueue(second, event));
      awaitUntil(() -> isWaiting(session));
      deliverOthers(store, LONGER_THAN_RELAYS_WAIT);
      first.rollback();
      insert.join();
      deliverOthers(store, A_MOMENT);
      second.commit();
    }
    String late = enqueue("slow", 1).get(0);

    Claim claim = store.claim(upTo(10));

    assertThat(ids(claim)).as("round %d", round).containsExactly(event.id().toString(), late);
    deliver(store, claim);
  }

  private void deliverOthers(OutboxStore store, Duration time) {
    long until = System.nanoTime() + time.toNanos();
    for (int i = 0; System.nanoTime() < until; i++) {
      enqueue("other-" + i, 1);
      deliver(store, store.claim(upTo(10)));
    }
  }

  private Event deduplicated(int round) {
    UUID tenant = small("slow").tenant();
    String dedupeKey = (tenant == null ? "" : tenant + "/") + round;
    return event("slow").dedupeKey(dedupeKey).json("1").build();
  }

  private static void deliver(OutboxStore store, Claim claim) {
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
  }

  private static int session(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  private boolean isWaiting(int session) {
    List<String> waits = new ArrayList<>();
    query(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid = " + session,
        waits::add);
    return !waits.isEmpty();
  }

  private static void run(Connection tx, String sql) throws SQLException {
    try (Statement statement = tx.createStatement()) {
      statement.execute(sql);
    }
  }
}
