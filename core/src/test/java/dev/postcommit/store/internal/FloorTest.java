package dev.postcommit.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FloorTest {
  private static final long EPOCH = 7;

  private final AtomicLong clock = new AtomicLong(Duration.ofHours(1).toNanos());
  private final Floor floor = new Floor(clock::get);

  private void claim(long lowestSeq, long oldestXid, long ownXid) {
    floor.learn(floor.view(), EPOCH, 0, lowestSeq, oldestXid, ownXid);
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void theFirstLookIsFromZero() {
    assertThat(floor.view().looksBack()).isTrue();
  }

  @Test
  void theFloorWaitsForTransactionsThatWereRunning() {
    claim(100, 5, 10);
    pass(Duration.ofMillis(1));
    claim(200, 9, 11);
    assertThat(floor.view().seq()).isZero();
    pass(Duration.ofMillis(1));
    claim(300, 10, 12);
    assertThat(floor.view().seq()).isEqualTo(100);
    pass(Duration.ofMillis(1));
    claim(400, 12, 13);
    assertThat(floor.view().seq()).isEqualTo(300);
  }

  @Test
  void theFloorDoesNotWaitForeverForATransactionThatStaysOpen() {
    claim(100, 5, 10);
    pass(Duration.ofMillis(99));
    claim(200, 5, 11);
    assertThat(floor.view().ignoredXid()).isZero();
    pass(Duration.ofMillis(1));
    claim(300, 5, 12);

    assertThat(floor.view().ignoredXid()).isEqualTo(5);
    assertThat(floor.view().seq()).isZero();
    claim(400, 13, 13);
    assertThat(floor.view().seq()).isEqualTo(400);
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
    claim(100, 11, 10);
    pass(Duration.ofMillis(249));
    assertThat(floor.view().looksBack()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(floor.view().looksBack()).isTrue();
  }

  @Test
  void aSlowLookFromZeroComesMoreSeldom() {
    Floor.View slow = floor.view();
    pass(Duration.ofSeconds(1));
    floor.learn(slow, EPOCH, 0, 100, 11, 10);
    pass(Duration.ofSeconds(19));
    assertThat(floor.view().looksBack()).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(floor.view().looksBack()).isTrue();
  }

  @Test
  void rowsFoundBelowTheFloorLowerIt() {
    claim(100, 11, 10);
    pass(Duration.ofSeconds(2));
    claim(40, 20, 19);

    assertThat(floor.view().seq()).isEqualTo(40);
  }

  @Test
  void aRestartedServerVoidsTheFloor() {
    floor.learn(floor.view(), EPOCH, 50, 100, 11, 10);
    assertThat(floor.view().claim()).isEqualTo(50);

    floor.learn(floor.view(), EPOCH + 1, 3, 0, 11, 0);

    assertThat(floor.view().claim()).isEqualTo(3);
    assertThat(floor.view().seq()).isZero();
  }
}
