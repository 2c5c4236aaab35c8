package dev.postcommit.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
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
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A claim that drops another's, and so has a transaction id before it looks for events. */
class ExpiredClaimOrderIT extends LayoutFixture {

  /** One in several claims looks at everything, and is right by chance. */
  private static final int ROUNDS = 3;

  private static final ClaimRequest LAST_ATTEMPT = ClaimRequest.of(10, LEASE, 1);

  ExpiredClaimOrderIT() {
    super(Samples.NATIVE);
  }

  @Test
  @DisplayName("R40: events written while a claim drops an expired one are delivered in order")
  void eventsWrittenWhileAnExpiredClaimIsDroppedKeepTheirOrder() throws SQLException {
    OutboxStore store = store();
    for (int round = 0; round < ROUNDS; round++) {
      String crashed = enqueue("crashed", 1).get(0);
      store().claim(ClaimRequest.of(1, Duration.ofMillis(1), 1));
      String early;
      try (Connection open = dataSource().getConnection()) {
        open.setAutoCommit(false);
        CompletableFuture<Claim> claim;
        try (Connection lock = dataSource().getConnection()) {
          lock.setAutoCommit(false);
          lock(lock, crashed);
          claim = CompletableFuture.supplyAsync(() -> store.claim(LAST_ATTEMPT));
          awaitUntil(() -> isBlocked("UPDATE"));
          early = outbox().enqueue(open, small("slow")).id().toString();
          enqueue("other", 1);
          lock.rollback();
        }
        deliver(store, claim.join());
        long until = System.nanoTime() + Duration.ofMillis(30).toNanos();
        for (int i = 0; System.nanoTime() < until; i++) {
          enqueue("other-" + i, 1);
          deliver(store, store.claim(LAST_ATTEMPT));
        }
        open.commit();
      }
      String late = enqueue("slow", 1).get(0);

      Claim claim = store.claim(LAST_ATTEMPT);

      assertThat(ids(claim)).as("round %d", round).containsExactly(early, late);
      deliver(store, claim);
    }
  }

  private static void deliver(OutboxStore store, Claim claim) {
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
  }

  private static void lock(Connection connection, String id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT FROM postcommit_outbox WHERE id = '" + id + "' FOR UPDATE");
    }
  }

  private boolean isBlocked(String what) {
    List<String> blocked = new ArrayList<>();
    query(
        """
        SELECT pid FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%%%s%%'"""
            .formatted(what),
        blocked::add);
    return !blocked.isEmpty();
  }
}
