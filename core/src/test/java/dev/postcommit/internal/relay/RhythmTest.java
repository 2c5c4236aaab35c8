package dev.postcommit.internal.relay;

import static dev.postcommit.internal.relay.Rhythm.Cause.CALL;
import static dev.postcommit.internal.relay.Rhythm.Cause.SETTLEMENT;
import static dev.postcommit.internal.relay.Rhythm.Cause.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.relay.Rhythm.Cause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RhythmTest {
  private static final int MOST = 100;
  private static final long MILLI = 1_000_000;

  private long now = -5 * MILLI;
  private final Rhythm rhythm = new Rhythm(Duration.ofMillis(3), Duration.ofMillis(200), now);

  /** The pause after a look that begins and ends now, in milliseconds. */
  private double pause() {
    rhythm.looks(now);
    return rhythm.left(now) / (double) MILLI;
  }

  private void finds(int times, Cause cause) {
    for (int i = 0; i < times; i++) {
      rhythm.cut();
      rhythm.looked(1, MOST, false, cause, now);
    }
  }

  private void findsNothing(int times) {
    for (int i = 0; i < times; i++) {
      rhythm.looked(0, MOST, false, TIME, now);
    }
  }

  @Test
  void afterAFullBatchThereIsNoPause() {
    rhythm.looked(MOST, MOST, true, TIME, now);
    assertThat(pause()).isZero();
    assertThat(rhythm.gathering(now)).isZero();
  }

  @Test
  void thereIsAShortPauseAfterABatchThatIsNotFull() {
    rhythm.looked(1, MOST, false, TIME, now);
    assertThat(pause()).isEqualTo(3);
  }

  @Test
  void howeverOftenItIsCalledEventsGatherButAFewLooksFollowEachOtherAtOnce() {
    long start = now;
    for (int look = 1; look <= 10; look++) {
      rhythm.cut();
      now += Math.max(0, rhythm.gathering(now));
      rhythm.looks(now);
      rhythm.looked(1, MOST, false, CALL, now);
      assertThat((now - start) / MILLI).as("look %d", look).isEqualTo(Math.max(0, look - 3) * 3L);
    }
    now += 100 * MILLI;
    for (int look = 1; look <= 3; look++) {
      assertThat(rhythm.gathering(now)).as("after a rest").isNotPositive();
      rhythm.looks(now);
    }
    assertThat(rhythm.gathering(now)).isEqualTo(3 * MILLI);
  }

  @Test
  void theDistanceGrowsWithWhatLooksTake() {
    for (int look = 1; look <= 50; look++) {
      rhythm.looks(now);
      now += 4 * MILLI;
      rhythm.looked(1, MOST, false, TIME, now);
    }
    assertThat(pause()).isBetween(7.5, 8.0);
    for (int look = 1; look <= 50; look++) {
      rhythm.looks(now);
      now += 400 * MILLI;
      rhythm.looked(1, MOST, false, TIME, now);
    }
    assertThat(pause()).isEqualTo(15);
    for (int look = 1; look <= 50; look++) {
      rhythm.looks(now);
      rhythm.looked(1, MOST, false, TIME, now);
    }
    assertThat(pause()).isEqualTo(3);
  }

  @Test
  void eventsGatherAfterFullBatches() {
    for (int look = 1; look <= 10; look++) {
      rhythm.looks(now);
      rhythm.looked(MOST, MOST, true, TIME, now);
    }
    rhythm.looked(1, MOST, false, TIME, now);
    assertThat(rhythm.gathering(now)).isEqualTo(3 * MILLI);
  }

  @Test
  void idlePausesGrowToThePollInterval() {
    findsNothing(3);
    assertThat(pause()).isEqualTo(24);
    findsNothing(10);
    assertThat(pause()).isEqualTo(200);
  }

  @Test
  void aCallCutsALongPauseToTheShortest() {
    findsNothing(10);
    rhythm.cut();
    assertThat(pause()).isEqualTo(3);
  }

  @Test
  void whereEveryFindIsCalledForLooksWithoutACallAreSeldom() {
    finds(7, CALL);
    assertThat(pause()).isEqualTo(3);
    finds(1, CALL);
    assertThat(pause()).isEqualTo(48);
    rhythm.cut();
    findsNothing(1);
    assertThat(pause()).as("a call that was for nothing").isEqualTo(48);
  }

  @Test
  void aFindThatNobodyCalledForMakesLooksFrequentAgain() {
    finds(20, CALL);
    finds(1, TIME);
    assertThat(pause()).isEqualTo(3);
    findsNothing(1);
    finds(7, CALL);
    assertThat(pause()).isEqualTo(3);
  }

  @Test
  void aFindJustBeforeItsCallIsAsGoodAsOneAfterIt() {
    finds(20, CALL);
    finds(1, TIME);
    rhythm.cut();
    rhythm.looked(0, MOST, false, CALL, now);
    finds(1, CALL);
    assertThat(pause()).isEqualTo(48);
  }

  @Test
  void whatWaitedForASettlementTellsNothingOfWriters() {
    finds(20, CALL);
    finds(1, SETTLEMENT);
    assertThat(pause()).isEqualTo(48);
  }

  @Test
  void thereIsNoLongPauseWhileThereMayBeMore() {
    finds(20, CALL);
    rhythm.looked(1, MOST, true, CALL, now);
    assertThat(pause()).isEqualTo(3);
  }

  @Test
  void aPollIntervalShorterThanThePaceCountsForNothing() {
    Rhythm hasty = new Rhythm(Duration.ofMillis(3), Duration.ofMillis(1), now);
    hasty.looked(0, MOST, false, TIME, now);
    assertThat(hasty.left(now)).isEqualTo(3 * MILLI);
  }
}
