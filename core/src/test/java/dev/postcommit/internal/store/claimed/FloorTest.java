package dev.postcommit.internal.store.claimed;

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
    learn(floor.bounds(), lowestSeq, oldestXid, ownXid, false, Duration.ZERO);
  }

  private void learn(
      Floor.Bounds bounds,
      long lowestSeq,
      long oldestXid,
      long ownXid,
      boolean tried,
      Duration lookedBack,
      Long... ignored) {
    floor.learn(
        bounds,
        new Floor.Observation(
            EPOCH,
            0,
            lowestSeq,
            oldestXid,
            ownXid,
            List.of(ignored),
            Floor.Beyond.UNKNOWN,
            tried,
            lookedBack));
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void theFirstLookIsFromZero() {
    assertThat(floor.bounds().seq()).isZero();
  }

  /** A floor that has risen to {@code seq}. */
  private void risenTo(long seq) {
    claim(seq, 11, 10);
    claim(seq, 12, 11);
    assertThat(floor.bounds().seq()).isEqualTo(seq);
  }

  @Test
  void theFloorWaitsForTransactionsThatWereRunning() {
    claim(100, 5, 10);
    claim(200, 9, 11);
    assertThat(floor.bounds().seq()).isZero();
    claim(300, 10, 12);
    assertThat(floor.bounds().seq()).isEqualTo(100);
    claim(400, 12, 13);
    assertThat(floor.bounds().seq()).isEqualTo(300);
  }

  @Test
  void aClaimWhoseIdIsNotFromAfterItsLookRaisesNothing() {
    claim(100, 9, 0);
    claim(200, 11, 0);
    assertThat(floor.bounds().seq()).isZero();
    claim(300, 12, 12);
    assertThat(floor.bounds().seq()).isEqualTo(300);
  }

  @Test
  void theFloorDoesNotWaitForeverForATransactionThatStaysOpen() {
    claim(100, 5, 10);
    pass(Duration.ofMillis(99));
    claim(200, 5, 11);
    assertThat(floor.bounds().ignoredXid()).isZero();
    assertThat(floor.bounds().ignored()).isEmpty();
    pass(Duration.ofMillis(1));
    claim(300, 5, 12);

    assertThat(floor.bounds().ignoredXid()).isEqualTo(5);
    assertThat(floor.bounds().ignoredXids()).containsExactly(5L);
    assertThat(floor.bounds().seq()).isZero();
    learn(floor.bounds(), 400, 13, 14, false, Duration.ZERO, 5L);
    assertThat(floor.bounds().seq()).isEqualTo(300);
    assertThat(floor.bounds().ignoredXids()).containsExactly(5L);
  }

  @Test
  void aTransactionThatWasIgnoredAndHasEndedIsForgotten() {
    claim(100, 5, 10);
    pass(Duration.ofMillis(100));
    claim(200, 5, 11);
    assertThat(floor.bounds().ignoredXids()).containsExactly(5L);
    claim(300, 12, 12);
    assertThat(floor.bounds().ignored()).isEmpty();
  }

  @Test
  void theFloorStaysBelowRowsThatAppearedSinceAndAreStillThere() {
    claim(110, 5, 10);
    claim(105, 11, 12);

    assertThat(floor.bounds().seq()).isEqualTo(105);
  }

  @Test
  void shortTransactionsAreWaitedForHoweverManyThereAre() {
    for (int xid = 5; xid < 10; xid++) {
      claim(100, xid, 10);
      pass(Duration.ofMillis(40));
    }
    assertThat(floor.bounds().ignoredXid()).isZero();
  }

  @Test
  void theRowsOfAnIgnoredTransactionAreAboveWhatClaimsOfLowerIdsSaw() {
    claim(100, 11, 10);
    claim(200, 12, 11);
    claim(300, 13, 12);
    claim(400, 13, 20);
    pass(Duration.ofMillis(100));
    claim(500, 13, 21);

    assertThat(floor.bounds().ignored()).containsExactly(new Floor.Ignored(13, 300));
  }

  @Test
  void theRowsOfATransactionThatIsOlderThanAllClaimsMayLieAnywhere() {
    claim(100, 5, 10);
    pass(Duration.ofMillis(100));
    claim(200, 5, 11);

    assertThat(floor.bounds().ignored()).containsExactly(new Floor.Ignored(5, 0));
  }

  @Test
  void whatAnOlderViewDoesNotKnowOfStaysIgnored() {
    claim(100, 5, 10);
    Floor.Bounds before = floor.bounds();
    pass(Duration.ofMillis(100));
    claim(200, 5, 11);
    learn(before, 300, 5, 12, false, Duration.ZERO);

    assertThat(floor.bounds().ignoredXids()).containsExactly(5L);
  }

  @Test
  void eventsThatAreTriedAgainAreLookedForAFewTimesASecond() {
    risenTo(100);
    learn(floor.bounds(), 100, 13, 12, true, Duration.ZERO);
    assertThat(floor.bounds().looksForAgain()).isTrue();
    learn(floor.bounds(), 100, 14, 13, true, Duration.ZERO);
    pass(Duration.ofMillis(249));
    assertThat(floor.bounds().looksForAgain()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(floor.bounds().looksForAgain()).isTrue();
  }

  @Test
  void eventsThatAreTriedAgainAreNotLookedForWhereThereAreNone() {
    risenTo(100);
    pass(Duration.ofSeconds(1));

    assertThat(floor.bounds().looksForAgain()).isFalse();
  }

  @Test
  void aSlowLookForEventsThatAreTriedAgainComesMoreSeldom() {
    risenTo(100);
    learn(floor.bounds(), 100, 13, 12, true, Duration.ZERO);
    learn(floor.bounds(), 100, 14, 13, true, Duration.ofMillis(100));
    pass(Duration.ofMillis(19_999));
    assertThat(floor.bounds().looksForAgain()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(floor.bounds().looksForAgain()).isTrue();
  }

  /** Claims once after a while, and says where it looked below the floor. */
  private List<Long> lookBack(Duration took) {
    pass(Duration.ofMillis(250));
    Floor.Bounds bounds = floor.bounds();
    learn(bounds, 10_000, 20, 0, false, took);
    return List.of(bounds.stripFrom(), bounds.stripTo());
  }

  @Test
  void numbersBelowTheFloorAreLookedThroughInTurnAFewTimesASecond() {
    risenTo(10_000);
    assertThat(lookBack(Duration.ofMillis(1))).containsExactly(512L, 1536L);
    assertThat(lookBack(Duration.ofMillis(1))).containsExactly(1536L, 2048L);
    assertThat(floor.bounds().stripTo()).isEqualTo(floor.bounds().stripFrom());
  }

  @Test
  void aQuickLookBelowTheFloorIsFollowedByAWiderOne() {
    risenTo(10_000);
    assertThat(lookBack(Duration.ZERO)).containsExactly(512L, 1536L);
    assertThat(lookBack(Duration.ZERO)).containsExactly(1536L, 3584L);
    assertThat(lookBack(Duration.ofMillis(2))).containsExactly(3584L, 7680L);
    assertThat(lookBack(Duration.ZERO)).containsExactly(7680L, 9728L);
    assertThat(lookBack(Duration.ZERO)).containsExactly(9728L, 10_000L);
    assertThat(lookBack(Duration.ZERO)).containsExactly(0L, 8192L);
    assertThat(lookBack(Duration.ZERO)).containsExactly(8192L, 10_000L);
    assertThat(lookBack(Duration.ZERO)).containsExactly(0L, 10_000L);
  }

  @Test
  void rowsFoundBelowTheFloorLowerIt() {
    risenTo(100);
    claim(40, 20, 19);

    assertThat(floor.bounds().seq()).isEqualTo(40);
  }

  @Test
  void aRestartedServerVoidsTheFloor() {
    claimIn(EPOCH, 50, 100, 11, 10);
    assertThat(floor.bounds().claim()).isEqualTo(50);

    claimIn(EPOCH + 1, 3, 0, 11, 0);

    assertThat(floor.bounds().claim()).isEqualTo(3);
    assertThat(floor.bounds().seq()).isZero();
  }

  private void claimIn(long epoch, long lowestClaim, long lowestSeq, long oldestXid, long ownXid) {
    floor.learn(
        floor.bounds(),
        new Floor.Observation(
            epoch,
            lowestClaim,
            lowestSeq,
            oldestXid,
            ownXid,
            List.of(),
            Floor.Beyond.UNKNOWN,
            false,
            Duration.ZERO));
  }

  private void claimBeyond(long lowest, long end, long oldestXid, long ownXid, Long... ignored) {
    learnBeyond(
        floor.bounds(), 100, new Floor.Beyond(lowest, end, true), oldestXid, ownXid, ignored);
  }

  private void learnBeyond(
      Floor.Bounds bounds,
      long lowestSeq,
      Floor.Beyond beyond,
      long oldestXid,
      long ownXid,
      Long... ignored) {
    floor.learn(
        bounds,
        new Floor.Observation(
            EPOCH,
            0,
            lowestSeq,
            oldestXid,
            ownXid,
            List.of(ignored),
            beyond,
            false,
            Duration.ZERO));
  }

  @Test
  void whatLiesBeyondManyRowsIsLearntAsFarAsItWasLookedAt() {
    claimBeyond(0, 500, 11, 10);
    claimBeyond(0, 500, 12, 11);
    assertThat(floor.bounds().beyond()).isEqualTo(500);
    claimBeyond(800, 900, 13, 12);
    claimBeyond(800, 900, 14, 13);
    assertThat(floor.bounds().beyond()).isEqualTo(800);
    assertThat(floor.bounds().seq()).isEqualTo(100);
  }

  @Test
  void aClaimThatDidNotLookSoFarDoesNotLetItRise() {
    claimBeyond(0, 500, 9, 10);
    claimBeyond(0, 200, 11, 11);
    assertThat(floor.bounds().beyond()).isEqualTo(200);
  }

  @Test
  void aRowFoundAmongThoseGonePastIsNotGonePast() {
    claimBeyond(0, 500, 11, 10);
    claimBeyond(0, 500, 12, 11);
    claimBeyond(300, 900, 13, 0);
    assertThat(floor.bounds().beyond()).isEqualTo(300);
  }

  @Test
  void theEndOfATransactionThatWasNotWaitedForVoidsWhatLiesBeyond() {
    goPastWhileATransactionIsOpen();
    claimBeyond(800, 900, 13, 0);
    assertThat(floor.bounds().beyond()).isZero();
    assertThat(floor.bounds().seq()).isEqualTo(100);
  }

  /** Leaves a floor of 100 and rows gone past up to 800, and transaction 5 not waited for. */
  private void goPastWhileATransactionIsOpen() {
    claimBeyond(800, 900, 5, 10);
    pass(Duration.ofMillis(100));
    claimBeyond(800, 900, 5, 11);
    claimBeyond(800, 900, 12, 12, 5L);
    assertThat(floor.bounds().beyond()).isEqualTo(800);
    assertThat(floor.bounds().ignoredXids()).containsExactly(5L);
  }

  @Test
  void whatWasSeenBeforeATransactionEndedDoesNotCountOnceThatIsKnown() {
    goPastWhileATransactionIsOpen();
    Floor.Bounds first = floor.bounds();
    Floor.Bounds second = floor.bounds();
    claimBeyond(0, 0, 14, 0);
    Floor.Beyond beyond = new Floor.Beyond(800, 900, true);
    learnBeyond(first, 700, beyond, 12, 13, 5L);
    learnBeyond(second, 700, beyond, 14, 14, 5L);

    assertThat(floor.bounds().beyond()).isZero();
    assertThat(floor.bounds().seq()).isEqualTo(100);
  }

  @Test
  void aTransactionThatEndsIsLookedForAlsoWhenTheFloorWasLoweredBelowItsRows() {
    claim(100, 11, 10);
    claim(200, 12, 11);
    claim(300, 13, 12);
    claim(400, 13, 20);
    pass(Duration.ofMillis(100));
    claim(500, 13, 21);
    learn(floor.bounds(), 50, 22, 0, false, Duration.ZERO, 13L);

    assertThat(floor.bounds().seq()).isEqualTo(50);
    assertThat(floor.bounds().ignored()).containsExactly(new Floor.Ignored(13, 300));
    learn(floor.bounds(), 50, 23, 0, false, Duration.ZERO);
    assertThat(floor.bounds().seq()).isEqualTo(50);
    assertThat(floor.bounds().ignored()).isEmpty();
  }

  @Test
  void aRowBelowTheFloorLeavesWhatLiesBeyondWhereItIsOfAKeyWithMany() {
    claimBeyond(0, 500, 11, 10);
    claimBeyond(0, 500, 12, 11);
    learnBeyond(floor.bounds(), 50, new Floor.Beyond(0, 450, true), 13, 0);

    assertThat(floor.bounds().seq()).isEqualTo(50);
    assertThat(floor.bounds().beyond()).isEqualTo(500);
  }

  @Test
  void rowsGonePastAreWalkedOverOnceASecond() {
    claimBeyond(0, 500, 11, 10);
    claimBeyond(0, 500, 12, 11);
    pass(Duration.ofMillis(999));
    assertThat(floor.bounds().beyond()).isEqualTo(500);
    pass(Duration.ofMillis(1));
    assertThat(floor.bounds().beyond()).isZero();
    claimBeyond(0, 500, 13, 0);
    assertThat(floor.bounds().beyond()).isEqualTo(500);
  }

  @Test
  void aSlowWalkOverRowsGonePastComesMoreSeldom() {
    claimBeyond(0, 500, 11, 10);
    claimBeyond(0, 500, 12, 11);
    pass(Duration.ofSeconds(1));
    Floor.Bounds slow = floor.bounds();
    pass(Duration.ofMillis(100));
    learnBeyond(slow, 100, new Floor.Beyond(0, 500, true), 13, 0);
    pass(Duration.ofMillis(1_999));
    assertThat(floor.bounds().beyond()).isEqualTo(500);
    pass(Duration.ofMillis(1));
    assertThat(floor.bounds().beyond()).isZero();
  }

  @Test
  void otherKeysWithManyRowsVoidWhatLiesBeyond() {
    claimBeyond(0, 500, 11, 10);
    claimBeyond(0, 500, 12, 11);
    floor.forgetBeyond();
    assertThat(floor.bounds().beyond()).isZero();
    assertThat(floor.bounds().seq()).isEqualTo(100);
  }

  @Test
  void onceRowsAreGonePastATransactionIsWaitedForLonger() {
    claimBeyond(0, 500, 11, 10);
    claimBeyond(0, 500, 12, 11);
    claimBeyond(600, 700, 12, 13);
    pass(Duration.ofMillis(4_900));
    claimBeyond(600, 700, 12, 14);
    assertThat(floor.bounds().ignored()).isEmpty();
    pass(Duration.ofMillis(200));
    claimBeyond(600, 700, 12, 15);
    assertThat(floor.bounds().ignoredXids()).containsExactly(12L);
  }
}
