package dev.postcommit.relay.internal;

import static dev.postcommit.relay.internal.Rhythm.Cause.CALL;
import static dev.postcommit.relay.internal.Rhythm.Cause.SETTLEMENT;
import static dev.postcommit.relay.internal.Rhythm.Cause.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.internal.Rhythm.Cause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RhythmTest {
  private static final int MOST = 100;
  private static final long MILLI = 1_000_000;

  private final Rhythm rhythm = new Rhythm(Duration.ofMillis(3), Duration.ofMillis(200));

  private void finds(int times, Cause cause) {
    for (int i = 0; i < times; i++) {
      rhythm.cut();
      rhythm.looked(1, MOST, false, cause);
    }
  }

  private void findsNothing(int times) {
    for (int i = 0; i < times; i++) {
      rhythm.looked(0, MOST, false, TIME);
    }
  }

  @Test
  void afterAFullBatchThereIsNoPause() {
    rhythm.looked(MOST, MOST, true, TIME);
    assertThat(rhythm.pause()).isZero();
    assertThat(rhythm.gathering()).isZero();
  }

  @Test
  void eventsGatherAfterABatchThatIsNotFull() {
    rhythm.looked(1, MOST, false, TIME);
    assertThat(rhythm.pause()).isEqualTo(3 * MILLI);
    assertThat(rhythm.gathering()).isEqualTo(3 * MILLI);
  }

  @Test
  void idlePausesGrowToThePollInterval() {
    findsNothing(3);
    assertThat(rhythm.pause()).isEqualTo(24 * MILLI);
    assertThat(rhythm.gathering()).isEqualTo(3 * MILLI);
    findsNothing(10);
    assertThat(rhythm.pause()).isEqualTo(200 * MILLI);
  }

  @Test
  void aCallCutsALongPauseToTheShortest() {
    findsNothing(10);
    rhythm.cut();
    assertThat(rhythm.pause()).isEqualTo(3 * MILLI);
  }

  @Test
  void whereEveryFindIsCalledForLooksWithoutACallAreSeldom() {
    finds(7, CALL);
    assertThat(rhythm.pause()).isEqualTo(3 * MILLI);
    finds(1, CALL);
    assertThat(rhythm.pause()).isEqualTo(48 * MILLI);
    assertThat(rhythm.gathering()).isEqualTo(3 * MILLI);
    rhythm.cut();
    findsNothing(1);
    assertThat(rhythm.pause()).as("a call that was for nothing").isEqualTo(48 * MILLI);
  }

  @Test
  void aFindThatNobodyCalledForMakesLooksFrequentAgain() {
    finds(20, CALL);
    finds(1, TIME);
    assertThat(rhythm.pause()).isEqualTo(3 * MILLI);
    findsNothing(1);
    finds(7, CALL);
    assertThat(rhythm.pause()).isEqualTo(3 * MILLI);
  }

  @Test
  void aFindJustBeforeItsCallIsAsGoodAsOneAfterIt() {
    finds(20, CALL);
    finds(1, TIME);
    rhythm.cut();
    rhythm.looked(0, MOST, false, CALL);
    finds(1, CALL);
    assertThat(rhythm.pause()).isEqualTo(48 * MILLI);
  }

  @Test
  void whatWaitedForASettlementTellsNothingOfWriters() {
    finds(20, CALL);
    finds(1, SETTLEMENT);
    assertThat(rhythm.pause()).isEqualTo(48 * MILLI);
  }

  @Test
  void thereIsNoLongPauseWhileThereMayBeMore() {
    finds(20, CALL);
    rhythm.looked(1, MOST, true, CALL);
    assertThat(rhythm.pause()).isEqualTo(3 * MILLI);
  }

  @Test
  void aPollIntervalShorterThanThePaceCountsForNothing() {
    Rhythm hasty = new Rhythm(Duration.ofMillis(3), Duration.ofMillis(1));
    hasty.looked(0, MOST, false, TIME);
    assertThat(hasty.pause()).isEqualTo(3 * MILLI);
  }
}
