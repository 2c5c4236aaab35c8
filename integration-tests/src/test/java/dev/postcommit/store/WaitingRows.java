package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.fixture.ExplainedPool;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.layout.Role;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What claims read while many events wait for a topic, or behind one that does. */
abstract class WaitingRows extends LayoutFixture {
  /** The most rows that a statement may read of those that wait. */
  static final int FEW = 600;

  private static final int WAITING = 4_000;

  /** So many that listing the whole table takes long and is done rarely. */
  private static final int WAITING_OF_HELD = 12_000;

  private static final int HOT_KEYS = 20;
  private static final int CLAIMS = 30;

  WaitingRows(LayoutSample sample) {
    super(sample);
  }

  @Test
  @DisplayName("R21: claims of other events do not walk over events that wait for a topic")
  void claimsDoNotWalkOverWaitingEvents() {
    enqueueThoseThatWait();
    execute(
        "UPDATE %1$s SET %2$s = %2$s - interval '1 minute'"
            .formatted(layout().table().sql(), layout().sql(Role.CREATED_AT)));
    try (ExplainedPool pool = new ExplainedPool(database(), "jit=off")) {
      RelayStore store = Stores.open(pool.dataSource(), layout(), UUID.randomUUID());
      putOff(store);
      store.releaseIdle();

      int many = 0;
      StringBuilder walks = new StringBuilder();
      for (int i = 0; i < CLAIMS; i++) {
        pool.plans().clear();
        Claim claim = deliverOne(store);
        assertThat(claim.events()).hasSize(1);
        for (String plan : pool.plans()) {
          if (ExplainedPool.mostRows(plan) > FEW) {
            many++;
            walks.append(plan).append('\n');
          }
        }
      }
      theOlderOfAKeyGoesFirst(store);
      store.close();
      assertThat(many).as(walks.toString()).isLessThanOrEqualTo(CLAIMS / 5);
    }
  }

  final void enqueueThoseThatWait() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < (isHeld() ? WAITING_OF_HELD : WAITING); i++) {
      events.add(small(i % 2 == 0 ? "own-" + i : "hot-" + i % (2 * HOT_KEYS)));
    }
    transaction(tx -> outbox().enqueueAll(tx, events));
  }

  /** A transaction that took long commits before another of its key begins. */
  private void theOlderOfAKeyGoesFirst(RelayStore store) {
    List<String> written = new ArrayList<>(enqueue("late", 1));
    execute(
        "UPDATE %1$s SET %2$s = %2$s - interval '10 s' WHERE id = '%3$s'"
            .formatted(layout().table().sql(), layout().sql(Role.CREATED_AT), written.get(0)));
    written.addAll(enqueue("late", 1));
    List<String> claimed = new ArrayList<>();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              Claim claim = store.claim(upTo(500));
              store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
              claimed.addAll(ids(claim));
              return claimed.size() == 2;
            });
    assertThat(claimed).isEqualTo(written);
  }

  private Claim deliverOne(RelayStore store) {
    transaction(tx -> outbox().enqueue(tx, small("other")));
    Claim[] claim = {Claim.EMPTY};
    awaitUntil(
        () -> {
          claim[0] = store.claim(upTo(500));
          return !claim[0].isEmpty();
        });
    store.settle(claim[0], ids(claim[0]).stream().map(Outcome.Delivered::new).toList());
    return claim[0];
  }

  /** Defers events until no more can be claimed, and those behind others are out of the way. */
  final void putOff(OutboxStore store) {
    int[] empty = {0};
    awaitUntil(
        () -> {
          Claim claim = store.claim(upTo(500));
          empty[0] = claim.isEmpty() ? empty[0] + 1 : 0;
          store.settle(claim, claim.events().stream().map(WaitingRows::waiting).toList());
          return empty[0] > (isHeld() ? 3 : 300);
        });
  }

  private static Outcome waiting(StoredEvent event) {
    return new Outcome.Deferred(event.id(), "waiting for topic t: gone", Duration.ofHours(1));
  }
}
