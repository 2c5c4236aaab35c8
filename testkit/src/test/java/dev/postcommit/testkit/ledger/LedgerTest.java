package dev.postcommit.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private final Ledger ledger = Ledger.create();

  @Test
  void anEmptyLedgerIsClean() {
    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.outstanding()).isZero();
    assertThat(ledger.report())
        .hasToString(
            "0 committed, 0 delivered, 0 lost, 0 phantom, 0 out of order, 0 duplicates, 0 dead"
                + " (expected 0)");
  }

  @Test
  void deliveriesInWriteOrderAreClean() {
    commit("k", "a", "b", "c");
    deliver("k", "a", "b", "c");

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report())
        .hasToString(
            "3 committed, 3 delivered, 0 lost, 0 phantom, 0 out of order, 0 duplicates, 0 dead"
                + " (expected 0)");
  }

  @Test
  void aDeliveryMayBeToldBeforeItsCommit() {
    deliver("k", "a", "b");
    assertThat(ledger.report().phantom().first()).containsExactly("a", "b");

    commit("k", "a", "b");

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.outstanding()).isZero();
  }

  @Test
  void whatIsCommittedAndNeverArrivesIsLost() {
    commit("k", "a", "b", "c");
    deliver("k", "a", "c");

    assertThat(ledger.outstanding()).isEqualTo(1);
    assertThat(ledger.report().lost().first()).containsExactly("b");
    assertThat(ledger.report().clean()).isFalse();
    assertThat(ledger.report().toString()).contains("1 [b] lost");
  }

  @Test
  void whatWasRolledBackOrNeverWrittenIsAPhantom() {
    ledger.rolledBack("a");
    ledger.rolledBack("quiet");
    deliver("k", "a", "b");

    assertThat(ledger.report().phantom().first()).containsExactly("a", "b");
    assertThat(ledger.report().delivered()).isZero();
    assertThat(ledger.report().clean()).isFalse();
  }

  @Test
  void aDeadEventThatWasNeverCommittedIsAPhantom() {
    ledger.rolledBack("a");
    ledger.expectedDead("a");
    ledger.dead("a");

    assertThat(ledger.report().phantom().first()).containsExactly("a");
  }

  @Test
  void aFirstDeliveryAfterALaterOneOfItsKeyIsOutOfOrder() {
    commit("k", "a", "b", "c", "d");
    deliver("k", "a", "d", "b", "c");

    assertThat(ledger.report().outOfOrder().first()).containsExactly("b", "c");
    assertThat(ledger.report().clean()).isFalse();
  }

  @Test
  void aLateDuplicateIsNoDisorder() {
    commit("k", "a", "b", "c");
    deliver("k", "a", "b", "a", "b", "c", "a");

    assertThat(ledger.report().outOfOrder().none()).isTrue();
    assertThat(ledger.report().duplicates()).isEqualTo(3);
    assertThat(ledger.report().delivered()).isEqualTo(3);
    assertThat(ledger.report().clean()).isTrue();
  }

  @Test
  void aDuplicateDoesNotExcuseTheOrderOfFirstDeliveries() {
    commit("k", "a", "b", "c");
    deliver("k", "b", "b", "a", "c");

    assertThat(ledger.report().outOfOrder().first()).containsExactly("a");
  }

  @Test
  void keysHaveNoOrderBetweenThem() {
    commit("k1", "a", "b");
    commit("k2", "x", "y");
    deliver("k2", "x");
    deliver("k1", "a");
    deliver("k2", "y");
    deliver("k1", "b");

    assertThat(ledger.report().clean()).isTrue();
  }

  @Test
  void eventsWithoutAKeyHaveNoOrder() {
    commit(null, "a", "b", "c");
    deliver(null, "c", "a", "b");

    assertThat(ledger.report().clean()).isTrue();
  }

  @Test
  void positionsNeedNotBeDense() {
    ledger.committed("a", "k", -5);
    ledger.committed("b", "k", 1_000_000_000_000L);
    ledger.committed("c", "k", 17);
    deliver("k", "a", "c", "b");

    assertThat(ledger.report().clean()).isTrue();
  }

  @Test
  void aDeadEventLeavesAGapThatIsNeitherLossNorDisorder() {
    commit("k", "a", "b", "c");
    ledger.expectedDead("b");
    deliver("k", "a", "c");
    ledger.dead("b");

    assertThat(ledger.outstanding()).isZero();
    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().toString()).endsWith("1 dead (expected 1)");
  }

  @Test
  void aDeadEventThatIsReplayedIsNotHeldToItsOldPlace() {
    commit("k", "a", "b", "c");
    ledger.expectedDead("a");
    ledger.dead("a");
    deliver("k", "b", "c", "a");

    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().delivered()).isEqualTo(3);
  }

  @Test
  void aDeadEventNobodyExpectedIsNotClean() {
    commit("k", "a", "b");
    deliver("k", "a");
    ledger.dead("b");

    assertThat(ledger.report().lost().none()).isTrue();
    assertThat(ledger.report().unexpectedlyDead().first()).containsExactly("b");
    assertThat(ledger.report().clean()).isFalse();
    assertThat(ledger.report().toString()).endsWith("1 dead (expected 0), 1 [b] unexpectedly dead");
  }

  @Test
  void anEventThatOughtToBeDeadAndArrivesIsNotClean() {
    commit("k", "a");
    ledger.expectedDead("a");
    deliver("k", "a");

    assertThat(ledger.report().unexpectedlyAlive().first()).containsExactly("a");
    assertThat(ledger.report().clean()).isFalse();
  }

  @Test
  void anEventThatOughtToBeDeadAndIsNowhereIsLost() {
    commit("k", "a");
    ledger.expectedDead("a");

    assertThat(ledger.outstanding()).isEqualTo(1);
    assertThat(ledger.report().lost().first()).containsExactly("a");
  }

  @Test
  void anEventInDoubtMayArriveOrNot() {
    ledger.inDoubt("a", "k", 1);
    ledger.inDoubt("b", "k", 2);
    deliver("k", "b");

    assertThat(ledger.outstanding()).isZero();
    assertThat(ledger.report().clean()).isTrue();
    assertThat(ledger.report().toString()).endsWith(", 2 in doubt");
  }

  @Test
  void aDoubtCanBeSettledLater() {
    ledger.inDoubt("a", "k", 1);
    ledger.inDoubt("b", "k", 2);
    ledger.committed("a", "k", 1);
    ledger.rolledBack("b");
    deliver("k", "b");

    assertThat(ledger.report().lost().first()).containsExactly("a");
    assertThat(ledger.report().phantom().first()).containsExactly("b");
    assertThat(ledger.report().inDoubt()).isZero();
  }

  @Test
  void anEventInDoubtIsHeldToItsOrder() {
    ledger.inDoubt("a", "k", 1);
    ledger.committed("b", "k", 2);
    deliver("k", "b", "a");

    assertThat(ledger.report().outOfOrder().first()).containsExactly("a");
  }

  @Test
  void aKeyOtherThanItsOwnIsNotClean() {
    commit("k", "a");
    deliver("other", "a");

    assertThat(ledger.report().wrongKey().first()).containsExactly("a");
    assertThat(ledger.report().clean()).isFalse();
  }

  @Test
  void tellingACommitTwiceCountsOnce() {
    commit("k", "a");
    commit("k", "a");
    assertThat(ledger.outstanding()).isEqualTo(1);

    deliver("k", "a");

    assertThat(ledger.outstanding()).isZero();
    assertThat(ledger.report().committed()).isEqualTo(1);
  }

  @Test
  void onlyTheFirstFewOffendersAreNamed() {
    IntStream.range(0, 25).forEach(i -> ledger.committed("e" + i, null, i));

    assertThat(ledger.report().lost().count()).isEqualTo(25);
    assertThat(ledger.report().lost().first()).hasSize(10).startsWith("e0").endsWith("e9");
  }

  @Test
  void manyThreadsMayTellItThings() throws Exception {
    int threads = 8;
    int each = 2_000;
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> work =
          IntStream.range(0, threads)
              .<Future<?>>mapToObj(
                  thread ->
                      executor.submit(
                          () -> {
                            start.await();
                            for (int i = 0; i < each; i++) {
                              String id = thread + "/" + i;
                              ledger.committed(id, "key" + thread, i);
                              ledger.delivered(id, "key" + thread);
                            }
                            return null;
                          }))
              .toList();
      start.countDown();
      for (Future<?> future : work) {
        future.get();
      }
    } finally {
      executor.shutdownNow();
    }

    assertThat(ledger.outstanding()).isZero();
    assertThat(ledger.report().delivered()).isEqualTo(threads * each);
    assertThat(ledger.report().clean()).isTrue();
  }

  private void commit(String key, String... ids) {
    for (int i = 0; i < ids.length; i++) {
      ledger.committed(ids[i], key, i);
    }
  }

  private void deliver(String key, String... ids) {
    for (String id : ids) {
      ledger.delivered(id, key);
    }
  }
}
