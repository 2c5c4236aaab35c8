package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Ordering;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Order per key, as far as claims decide it. */
public abstract class OrderContract extends LayoutFixture {

  /** The contract for one layout. */
  protected OrderContract(LayoutSample sample) {
    super(sample);
  }

  /** A key in flight is busy. */
  @Test
  @DisplayName("R40: while an event is in flight the later ones of its key are given to nobody")
  public void aKeyInFlightIsBusy() {
    List<String> first = enqueue("a", 2);
    List<String> other = enqueue("b", 1);
    OutboxStore store = store();
    Claim claim = store.claim(upTo(1));

    assertThat(ids(claim)).containsExactly(first.get(0));
    assertThat(ids(beside(store).claim(upTo(9)))).isEqualTo(other);

    store.ack(claim, first.get(0));
    assertThat(ids(beside(store).claim(upTo(9)))).containsExactly(first.get(1));
  }

  /** A run of one key may be taken whole. */
  @Test
  @DisplayName("R40: one claim may take a run of one key, in order")
  public void oneClaimMayTakeARunOfOneKey() {
    List<String> ids = enqueue("a", 5);

    assertThat(ids(store().claim(upTo(9)))).isEqualTo(ids);
  }

  /** A failing key waits alone. */
  @Test
  @DisplayName("R40: an event waiting for its retry holds back its own key and no other")
  public void aFailingKeyWaitsAlone() {
    List<String> failing = enqueue("a", 3);
    List<String> other = enqueue("b", 2);
    OutboxStore store = store();
    Claim claim = store.claim(upTo(1));
    store.settle(claim, List.of(new Outcome.Retry(failing.get(0), "later", Duration.ofHours(1))));

    Claim rest = store.claim(upTo(9));

    assertThat(ids(rest)).isEqualTo(other);
  }

  /** A key whose event was deferred on its first attempt waits, although no attempt counted. */
  @Test
  @DisplayName("R40: an event deferred on its first attempt holds back its own key and no other")
  public void aDeferredKeyWaitsAlone() {
    List<String> deferred = enqueue("a", 3);
    List<String> other = enqueue("b", 2);
    OutboxStore store = store();
    Claim claim = store.claim(upTo(1));
    store.settle(
        claim, List.of(new Outcome.Deferred(deferred.get(0), "no leader", Duration.ofHours(1))));

    Claim rest = store.claim(upTo(9));

    assertThat(ids(rest)).isEqualTo(other);
    assertThat(ids(beside(store).claim(upTo(9)))).isEmpty();
  }

  /** A deferral counts no attempt, however often it happens. */
  @Test
  @DisplayName("R21: a deferred event comes first again, and no attempt of it counts")
  public void aDeferredEventComesFirstAndNoAttemptCounts() {
    List<String> ids = enqueue("a", 3);
    OutboxStore store = store();
    for (int round = 0; round < 3; round++) {
      Claim claim = round == 0 ? store.claim(upTo(1)) : claimSoon(store);
      assertThat(ids(claim).get(0)).isEqualTo(ids.get(0));
      assertThat(claim.events().get(0).attempt()).as("round %d", round).isEqualTo(1);
      List<Outcome> outcomes = new ArrayList<>();
      for (String id : ids(claim)) {
        outcomes.add(
            id.equals(ids.get(0))
                ? new Outcome.Deferred(id, "no leader", Duration.ofMillis(1))
                : new Outcome.Released(id));
      }
      store.settle(claim, outcomes);
    }

    List<String> delivered = new ArrayList<>();
    while (delivered.size() < ids.size()) {
      Claim claim = claimSoon(store);
      delivered.addAll(ids(claim));
      store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    }

    assertThat(delivered).isEqualTo(ids);
    assertThat(admin().status().pending()).isZero();
    assertThat(store.claim(upTo(9)).isEmpty()).isTrue();
  }

  /** A retried event comes before the later ones of its key. */
  @Test
  @DisplayName("R40: an event due for its retry comes before the later ones of its key")
  public void aRetriedEventComesFirst() {
    List<String> ids = enqueue("a", 3);
    OutboxStore store = store();
    store.settle(
        store.claim(upTo(1)),
        List.of(new Outcome.Retry(ids.get(0), "again", Duration.ofMillis(1))));

    assertThat(ids(claimSoon(store)).get(0)).isEqualTo(ids.get(0));
  }

  /** A dead event does not hold its key. */
  @Test
  @DisplayName("R40: a dead event no longer holds back its key")
  public void aDeadEventNoLongerHoldsBackItsKey() {
    List<String> ids = enqueue("a", 2);
    OutboxStore store = store();
    store.settle(store.claim(upTo(1)), List.of(new Outcome.Dead(ids.get(0), "never")));

    assertThat(ids(store.claim(upTo(9)))).containsExactly(ids.get(1));
  }

  /** A transaction that took long comes before the one that waited for it. */
  @Test
  @DisplayName("R40: an event of a long transaction comes before that of one that waited for it")
  public void aLongTransactionComesBeforeTheOneThatWaitedForIt() {
    OutboxStore store = store();
    for (int round = 0; round < 6; round++) {
      String[] early = new String[1];
      transaction(
          tx -> {
            early[0] = outbox().enqueue(tx, small("slow")).id().toString();
            long until = System.nanoTime() + Duration.ofMillis(200).toNanos();
            for (int i = 0; System.nanoTime() < until; i++) {
              enqueue("other-" + i, 1);
              Claim claim = store.claim(upTo(10));
              store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
            }
          });
      String late = enqueue("slow", 1).get(0);

      Claim claim = store.claim(upTo(10));

      assertThat(ids(claim)).as("round %d", round).containsExactly(early[0], late);
      store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    }
  }

  /** The events of a crashed relay keep their order. */
  @Test
  @DisplayName("R40: the events of a crashed relay come back before the later ones of their key")
  public void theEventsOfACrashedRelayKeepTheirOrder() {
    List<String> ids = enqueue("a", 3);
    store().claim(brieflyUpTo(2));

    Claim again = claimSoon(store());

    assertThat(ids(again)).isEqualTo(ids);
  }

  /** Without ordering nothing waits. */
  @Test
  @DisplayName("Ordering.NONE: no event waits for another")
  public void withoutOrderingNoEventWaits() {
    List<String> ids = enqueue("a", 3);
    OutboxStore store = store();
    store.settle(
        store.claim(upTo(1)), List.of(new Outcome.Retry(ids.get(0), "x", Duration.ofHours(1))));
    Claim second = store.claim(upTo(1).withOrdering(Ordering.NONE));
    Claim third = beside(store).claim(upTo(9).withOrdering(Ordering.NONE));

    assertThat(ids(second)).containsExactly(ids.get(1));
    assertThat(ids(third)).containsExactly(ids.get(2));
  }
}
