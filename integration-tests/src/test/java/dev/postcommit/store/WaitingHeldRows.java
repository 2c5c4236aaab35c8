package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.ExplainedPool;
import dev.postcommit.layout.Role;
import dev.postcommit.testkit.contract.LayoutSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What claims read of a held table while many events wait that were written moments ago, and one of
 * them is retried again and again.
 */
abstract class WaitingHeldRows extends WaitingRows {
  private static final int CLAIMS = 60;
  private static final Duration PROBE_AGAIN = Duration.ofMillis(20);

  /** Longer than the ten seconds that one pass over the waiting events takes. */
  private static final Duration PASS = Duration.ofSeconds(30);

  private final Set<String> probes = new HashSet<>();
  private final List<String> delivered = new ArrayList<>();
  private int probed;

  WaitingHeldRows(LayoutSample sample) {
    super(sample);
  }

  @Test
  @DisplayName("R21: a failing probe of a topic does not make claims walk over what waits for it")
  void claimsDoNotWalkOverWhatWaits() {
    try (ExplainedPool pool = new ExplainedPool(database(), "jit=off")) {
      OutboxStore store = OutboxStore.of(pool.dataSource(), layout(), UUID.randomUUID());
      enqueueThoseThatWait();
      putOff(store);
      probes.addAll(enqueue("probe", 2));
      // until the waiting events are no longer among the recent ones
      Awaitility.await().atMost(PASS).until(() -> !walks(pool, store));

      int before = probed;
      List<String> walks = new ArrayList<>();
      for (int i = 0; i < CLAIMS; i++) {
        pool.plans().clear();
        deliverOne(store);
        pool.plans().stream()
            .filter(plan -> ExplainedPool.mostRows(plan) > FEW)
            .forEach(walks::add);
      }
      assertThat(walks).isEmpty();
      awaitUntil(() -> claimAndDeliver(store) && probed > before + 2);
      whatLiesFurtherBackIsFound(store);
      store.close();
    }
  }

  private boolean walks(ExplainedPool pool, OutboxStore store) {
    pool.plans().clear();
    deliverOne(store);
    return pool.plans().stream().anyMatch(plan -> ExplainedPool.mostRows(plan) > FEW);
  }

  /** Of transactions that took long, alone in their key or before another; and in their order. */
  private void whatLiesFurtherBackIsFound(OutboxStore store) {
    List<String> alone = enqueue("alone", 1);
    List<String> inOrder = new ArrayList<>(enqueue("late", 1));
    execute(
        "UPDATE %1$s SET %2$s = %2$s - interval '10 s' WHERE id IN ('%3$s', '%4$s')"
            .formatted(
                layout().table().sql(),
                layout().sql(Role.CREATED_AT),
                alone.get(0),
                inOrder.get(0)));
    inOrder.addAll(enqueue("late", 1));
    Awaitility.await()
        .atMost(PASS)
        .until(
            () ->
                claimAndDeliver(store)
                    && delivered.containsAll(alone)
                    && delivered.containsAll(inOrder));
    assertThat(delivered.stream().filter(inOrder::contains)).isEqualTo(inOrder);
    assertThat(delivered).doesNotHaveDuplicates();
  }

  private void deliverOne(OutboxStore store) {
    String id = enqueue("other-" + delivered.size() % 7, 1).get(0);
    awaitUntil(() -> claimAndDeliver(store) && delivered.contains(id));
  }

  /** Delivers what can be claimed, but for the probe, which is put off. */
  private boolean claimAndDeliver(OutboxStore store) {
    Claim claim = store.claim(upTo(500));
    List<Outcome> outcomes = new ArrayList<>();
    boolean isFirst = true;
    for (StoredEvent event : claim.events()) {
      if (!probes.contains(event.id())) {
        delivered.add(event.id());
        outcomes.add(new Outcome.Delivered(event.id()));
      } else if (isFirst) {
        isFirst = false;
        probed++;
        outcomes.add(new Outcome.Deferred(event.id(), "waiting for topic t: gone", PROBE_AGAIN));
      } else {
        outcomes.add(new Outcome.Released(event.id()));
      }
    }
    store.settle(claim, outcomes);
    return true;
  }
}
