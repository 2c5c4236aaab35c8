package dev.postcommit.internal.relay;

import static dev.postcommit.internal.relay.PollPacing.Cause.SETTLEMENT;
import static dev.postcommit.internal.relay.PollPacing.Cause.TIMER;
import static dev.postcommit.internal.relay.PollPacing.Cause.WAKE_UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.relay.PollPacing.Cause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollPacingTest {
  private static final int MOST = 100;
  private static final long MILLI = 1_000_000;

  private long now = -5 * MILLI;
  private final PollPacing pacing =
      new PollPacing(Duration.ofMillis(3), Duration.ofMillis(200), now);

  /** The wait after a poll that begins and ends now, in milliseconds. */
  private double waitAfterPoll() {
    pacing.begin(now);
    return pacing.untilPoll(now) / (double) MILLI;
  }

  private void hits(int times, Cause cause) {
    for (int i = 0; i < times; i++) {
      pacing.hurry();
      pacing.end(1, MOST, false, cause, now);
    }
  }

  private void findNothing(int times) {
    for (int i = 0; i < times; i++) {
      pacing.end(0, MOST, false, TIMER, now);
    }
  }

  @Test
  void afterAFullBatchThereIsNoWait() {
    pacing.end(MOST, MOST, true, TIMER, now);
    assertThat(waitAfterPoll()).isZero();
    assertThat(pacing.untilAllowed(now)).isZero();
  }

  @Test
  void thereIsAShortWaitAfterABatchThatIsNotFull() {
    pacing.end(1, MOST, false, TIMER, now);
    assertThat(waitAfterPoll()).isEqualTo(3);
  }

  @Test
  void howeverOftenItIsWokenUpEventsGatherButAFewPollsFollowEachOtherAtOnce() {
    long start = now;
    for (int poll = 1; poll <= 10; poll++) {
      pacing.hurry();
      now += Math.max(0, pacing.untilAllowed(now));
      pacing.begin(now);
      pacing.end(1, MOST, false, WAKE_UP, now);
      assertThat((now - start) / MILLI).as("poll %d", poll).isEqualTo(Math.max(0, poll - 3) * 3L);
    }
    now += 100 * MILLI;
    for (int poll = 1; poll <= 3; poll++) {
      assertThat(pacing.untilAllowed(now)).as("after an idle time").isNotPositive();
      pacing.begin(now);
    }
    assertThat(pacing.untilAllowed(now)).isEqualTo(3 * MILLI);
  }

  @Test
  void theGapGrowsWithTheDurationOfPolls() {
    for (int poll = 1; poll <= 50; poll++) {
      pacing.begin(now);
      now += 4 * MILLI;
      pacing.end(1, MOST, false, TIMER, now);
    }
    assertThat(waitAfterPoll()).isBetween(7.5, 8.0);
    for (int poll = 1; poll <= 50; poll++) {
      pacing.begin(now);
      now += 400 * MILLI;
      pacing.end(1, MOST, false, TIMER, now);
    }
    assertThat(waitAfterPoll()).isEqualTo(15);
    for (int poll = 1; poll <= 50; poll++) {
      pacing.begin(now);
      pacing.end(1, MOST, false, TIMER, now);
    }
    assertThat(waitAfterPoll()).isEqualTo(3);
  }

  @Test
  void eventsGatherAfterFullBatches() {
    for (int poll = 1; poll <= 10; poll++) {
      pacing.begin(now);
      pacing.end(MOST, MOST, true, TIMER, now);
    }
    pacing.end(1, MOST, false, TIMER, now);
    assertThat(pacing.untilAllowed(now)).isEqualTo(3 * MILLI);
  }

  @Test
  void idleWaitsGrowToThePollInterval() {
    findNothing(3);
    assertThat(waitAfterPoll()).isEqualTo(24);
    findNothing(10);
    assertThat(waitAfterPoll()).isEqualTo(200);
  }

  @Test
  void aWakeUpCutsALongWaitToOneGap() {
    findNothing(10);
    pacing.hurry();
    assertThat(waitAfterPoll()).isEqualTo(3);
  }

  @Test
  void ifEveryHitFollowsAWakeUpPollsWithoutOneAreRare() {
    hits(7, WAKE_UP);
    assertThat(waitAfterPoll()).isEqualTo(3);
    hits(1, WAKE_UP);
    assertThat(waitAfterPoll()).isEqualTo(48);
    pacing.hurry();
    findNothing(1);
    assertThat(waitAfterPoll()).as("a wake-up for nothing").isEqualTo(48);
  }

  @Test
  void aHitWithoutAWakeUpMakesPollsFrequentAgain() {
    hits(20, WAKE_UP);
    hits(1, TIMER);
    assertThat(waitAfterPoll()).isEqualTo(3);
    findNothing(1);
    hits(7, WAKE_UP);
    assertThat(waitAfterPoll()).isEqualTo(3);
  }

  @Test
  void aHitJustBeforeItsWakeUpIsAsGoodAsOneAfterIt() {
    hits(20, WAKE_UP);
    hits(1, TIMER);
    pacing.hurry();
    pacing.end(0, MOST, false, WAKE_UP, now);
    hits(1, WAKE_UP);
    assertThat(waitAfterPoll()).isEqualTo(48);
  }

  @Test
  void whatWaitedForASettlementTellsNothingOfWriters() {
    hits(20, WAKE_UP);
    hits(1, SETTLEMENT);
    assertThat(waitAfterPoll()).isEqualTo(48);
  }

  @Test
  void thereIsNoLongWaitWhileThereMayBeMore() {
    hits(20, WAKE_UP);
    pacing.end(1, MOST, true, WAKE_UP, now);
    assertThat(waitAfterPoll()).isEqualTo(3);
  }

  @Test
  void aPollIntervalShorterThanThePaceCountsForNothing() {
    PollPacing hasty = new PollPacing(Duration.ofMillis(3), Duration.ofMillis(1), now);
    hasty.end(0, MOST, false, TIMER, now);
    assertThat(hasty.untilPoll(now)).isEqualTo(3 * MILLI);
  }

  @Test
  void aWakeUpIsTheReasonForOnePoll() {
    pacing.wokenUp();

    assertThat(pacing.takeCause()).isEqualTo(WAKE_UP);
    assertThat(pacing.takeCause()).isEqualTo(TIMER);
  }

  @Test
  void aWakeUpDuringAPollIsTheReasonForAnother() {
    Cause cause = pacing.takeCause();
    pacing.wokenUp();
    pacing.end(0, MOST, false, cause, now);

    assertThat(pacing.takeCause()).isEqualTo(WAKE_UP);
  }

  @Test
  void aSettlementIsAReasonOnlyIfEventsWereLeft() {
    pacing.end(0, MOST, false, pacing.takeCause(), now);
    assertThat(pacing.settled(false)).isFalse();
    assertThat(pacing.takeCause()).isEqualTo(TIMER);

    pacing.end(0, MOST, true, TIMER, now);
    assertThat(pacing.settled(false)).isTrue();
    assertThat(pacing.takeCause()).isEqualTo(SETTLEMENT);
  }

  @Test
  void aSettlementDuringThePollThatLeftEventsIsTheReasonForAnother() {
    Cause cause = pacing.takeCause();
    assertThat(pacing.settled(false)).isFalse();

    assertThat(pacing.end(0, MOST, true, cause, now)).isTrue();
    assertThat(pacing.takeCause()).isEqualTo(SETTLEMENT);
  }

  @Test
  void whatIsKnownToBeFreeIsAReasonWhateverWasLeft() {
    pacing.end(0, MOST, false, pacing.takeCause(), now);

    assertThat(pacing.settled(true)).isTrue();
    assertThat(pacing.takeCause()).isEqualTo(SETTLEMENT);
  }
}
