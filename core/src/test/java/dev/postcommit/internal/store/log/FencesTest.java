package dev.postcommit.internal.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.Fences.Bound;
import org.junit.jupiter.api.Test;

class FencesTest {
  private final Fences fences = new Fences();

  private Bound bound(String snapshot) {
    return fences.bound(Snapshot.of(snapshot), 7);
  }

  @Test
  void theFloorIsThatOfTheNewestFenceIfNothingRuns() {
    fences.begin(100, 10);
    fences.add(110, 20);

    Bound bound = bound("111:111:");
    assertThat(bound.floor()).isEqualTo(20);
    assertThat(bound.old()).isEmpty();
  }

  @Test
  void aRunningTransactionMayHaveRowsAboveTheFenceBeforeIt() {
    fences.begin(100, 10);
    fences.add(110, 20);
    fences.add(120, 30);

    Bound bound = bound("115:121:115,118");
    assertThat(bound.floor()).isEqualTo(20);
    assertThat(bound.old()).isEmpty();
  }

  @Test
  void transactionsOlderThanAllFencesAreLookedUp() {
    fences.begin(100, 10);
    fences.add(110, 20);

    Bound bound = bound("90:112:90,99,111");
    assertThat(bound.floor()).isEqualTo(20);
    assertThat(bound.old()).containsExactly(90, 99);
  }

  @Test
  void aFenceAboveTheSnapshotTellsNothingOfIt() {
    fences.begin(100, 10);
    fences.add(110, 20);

    assertThat(bound("105:105:").floor()).isEqualTo(10);
  }

  @Test
  void ofASnapshotBeforeAllFencesNothingIsKnown() {
    fences.begin(100, 10);

    Bound bound = bound("90:100:90,95");
    assertThat(bound.floor()).isEqualTo(7);
    assertThat(bound.old()).containsExactly(90, 95);
  }

  @Test
  void whatTheFloorPassesOverIsLookedUpHoweverTheFencesMove() {
    fences.begin(100, 0);
    for (int i = 1; i <= 5_000; i++) {
      fences.add(100 + i * 10L, i * 3L);
      long running = 100 + i * 5L + 1;
      Bound bound = bound(running + ":" + (101 + i * 10L) + ":" + running);

      boolean isOld = bound.old().length == 1;
      long numberBefore = (running - 100) / 10 * 3;
      assertThat(isOld || bound.floor() <= numberBefore).as("transaction %d", running).isTrue();
    }
  }

  @Test
  void anOldTransactionDoesNotHoldTheFloorFarBack() {
    fences.begin(100, 0);
    fences.add(110, 1_000_000);
    fences.add(120, 1_000_001);

    Bound bound = bound("105:121:105");
    assertThat(bound.floor()).isEqualTo(1_000_001);
    assertThat(bound.old()).containsExactly(105);
  }
}
