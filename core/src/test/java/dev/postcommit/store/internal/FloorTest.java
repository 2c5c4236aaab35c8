package dev.postcommit.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FloorTest {
  private static final long EPOCH = 7;

  private final AtomicLong clock = new AtomicLong(Duration.ofHours(1).toNanos());
  private final Floor floor = new Floor(clock::get);

  private void claim(long lowestSeq, long oldestXid, long ownXid) {
    floor.learn(floor.view(), new Floor.Sight(EPOCH, 0, lowestSeq, oldestXid, ownXid, List.of()));
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void theFirstLookIsFromZero() {
    assertThat(floor.view().looksBack()).isTrue();
  }

  /** A floor that has risen to {@code seq}. */
  private void risenTo(long seq) {
    claim(seq, 11, 10);
    claim(seq, 12, 11);
    assertThat(floor.view().seq()).isEqualTo(seq);
  }

  @Test
  void theFloorWaitsForTransactionsThatWereRunning() {
    claim(100, 5, 10);
    claim(200, 9, 11);
    assertThat(floor.view().seq()).isZero();
    claim(300, 10, 12);
    assertThat(floor.view().seq()).isEqualTo(100);
    claim(400, 12, 13);
    assertThat(floor.view().seq()).isEqualTo(300);
  }

  @Test
  void aClaimWhoseIdIsNotFromAfterItsLookRaisesNothing() {
    claim(100, 9, 0);
    claim(200, 11, 0);
    assertThat(floor.view().seq()).isZero();
    claim(300, 12, 12);
    assertThat(floor.view().seq()).isEqualTo(300);
  }

  @Test
  void theFloorDoesNotWaitForeverForATransactionThatStaysOpen() {
    claim(100, 5, 10);
    pass(Duration.ofMillis(99));
    claim(200, 5, 11);
    assertThat(floor.view().ignoredXid()).isZero();
    assertThat(floor.view().ignored()).isEmpty();
    pass(Duration.ofMillis(1));
    claim(300, 5, 12);

    assertThat(floor.view().ignoredXid()).isEqualTo(5);
    assertThat(floor.view().ignored()).containsExactly(5L);
    assertThat(floor.view().seq()).isZero();
    floor.learn(floor.view(), new Floor.Sight(EPOCH, 0, 400, 13, 14, List.of(5L)));
    assertThat(floor.view().seq()).isEqualTo(300);
    assertThat(floor.view().ignored()).containsExactly(5L);
  }

  @Test
  void aTransactionThatWasIgnoredAndHasEndedIsForgotten() {
    claim(100, 5, 10);
    pass(Duration.ofMillis(100));
    claim(200, 5, 11);
    assertThat(floor.view().ignored()).containsExactly(5L);
    claim(300, 12, 12);
    assertThat(floor.view().ignored()).isEmpty();
  }

  @Test
  void theFloorStaysBelowRowsThatAppearedSinceAndAreStillThere() {
    claim(110, 5, 10);
    claim(105, 11, 12);

    assertThat(floor.view().seq()).isEqualTo(105);
  }

  @Test
  void shortTransactionsAreWaitedForHoweverManyThereAre() {
    for (int xid = 5; xid < 10; xid++) {
      claim(100, xid, 10);
      pass(Duration.ofMillis(40));
    }
    assertThat(floor.view().ignoredXid()).isZero();
  }

  @Test
  void aLookFromZeroComesAFewTimesASecond() {
    risenTo(100);
    pass(Duration.ofMillis(249));
    assertThat(floor.view().looksBack()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(floor.view().looksBack()).isTrue();
  }

  @Test
  void aSlowLookFromZeroComesMoreSeldom() {
    risenTo(100);
    pass(Duration.ofMillis(250));
    Floor.View slow = floor.view();
    pass(Duration.ofSeconds(1));
    floor.learn(slow, new Floor.Sight(EPOCH, 0, 100, 13, 12, List.of()));
    pass(Duration.ofSeconds(19));
    assertThat(floor.view().looksBack()).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(floor.view().looksBack()).isTrue();
  }

  @Test
  void rowsFoundBelowTheFloorLowerIt() {
    risenTo(100);
    claim(40, 20, 19);

    assertThat(floor.view().seq()).isEqualTo(40);
  }

  @Test
  void aRestartedServerVoidsTheFloor() {
    floor.learn(floor.view(), new Floor.Sight(EPOCH, 50, 100, 11, 10, List.of()));
    assertThat(floor.view().claim()).isEqualTo(50);

    floor.learn(floor.view(), new Floor.Sight(EPOCH + 1, 3, 0, 11, 0, List.of()));

    assertThat(floor.view().claim()).isEqualTo(3);
    assertThat(floor.view().seq()).isZero();
  }
}
