package dev.postcommit.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Events that become due again below the number from which claims of a native table look. */
class FloorOrderIT extends LayoutFixture {
  private static final String WAITING = DeferredEvents.error("t", "it does not exist");

  FloorOrderIT() {
    super(Samples.NATIVE);
  }

  @RepeatedTest(5)
  @DisplayName(
      "R40: a replayed event comes before a later one of its key, though claims look above it")
  void aReplayedEventComesBeforeLaterOnes() {
    String early = enqueue("a", 1).get(0);
    OutboxStore store = store();
    store.settle(store.claim(upTo(1)), List.of(new Outcome.Dead(early, "never")));
    raiseTheFloor(store);

    admin().replay(DeadFilter.all(), new Decision("alice", null));
    String late = enqueue("a", 1).get(0);

    assertThat(ids(claimSoon(store))).containsExactly(early, late);
  }

  @RepeatedTest(5)
  @DisplayName(
      "R40: a released event comes before a later one of its key, though claims look above it")
  void aReleasedEventComesBeforeLaterOnes() {
    String early = enqueue("a", 1).get(0);
    OutboxStore store = store();
    store.settle(
        store.claim(upTo(1)), List.of(new Outcome.Deferred(early, WAITING, Duration.ofHours(1))));
    raiseTheFloor(store);

    assertThat(new DeferredEvents(dataSource(), layout()).release("t")).isEqualTo(1);
    String late = enqueue("a", 1).get(0);

    assertThat(ids(claimSoon(store))).containsExactly(early, late);
  }

  @Test
  @DisplayName("R40: an event that is held back keeps its place when a long transaction ends")
  void anEventThatIsHeldBackKeepsItsPlaceWhenAnotherTransactionEnds() throws SQLException {
    OutboxStore store = store();
    try (Connection first = dataSource().getConnection();
        Connection second = dataSource().getConnection()) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      String early = outbox().enqueue(first, small("a")).id().toString();
      raiseTheFloor(store);
      raiseTheFloor(store);
      String between = outbox().enqueue(second, small("b")).id().toString();
      raiseTheFloor(store);
      raiseTheFloor(store);
      enqueue("a", 1);
      Claim claim = store.claim(upTo(1));
      first.commit();
      assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
      store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
      String late = enqueue("a", 1).get(0);
      second.commit();

      assertThat(ids(store.claim(upTo(10)))).containsExactly(early, between, late);
    }
  }

  /** Delivers others until claims do not look from the beginning any more. */
  private void raiseTheFloor(OutboxStore store) {
    long until = System.nanoTime() + Duration.ofMillis(100).toNanos();
    for (int i = 0; System.nanoTime() < until; i++) {
      enqueue("other-" + i, 1);
      Claim claim = store.claim(upTo(10));
      store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    }
  }
}
