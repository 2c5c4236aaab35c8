package dev.postcommit.internal.store.held;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.held.RecentRows.Position;
import dev.postcommit.store.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentRowsTest {
  private static final ClaimRequest REQUEST =
      new ClaimRequest(10, 1_000, Duration.ofMinutes(1), 3, Ordering.PER_KEY, null, null);

  private static final Position SOMEWHERE = new Position("2026-01-01", "id");

  private long nanos = Duration.ofHours(1).toNanos();
  private final RecentRows rows = new RecentRows(() -> nanos);

  private void begin() {
    rows.listedInFull(nanos);
    rows.begin(REQUEST, nanos);
  }

  private void passes(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void theyAreEnoughOnlyAfterAListingThatTookLongForNothing() {
    assertThat(rows.areEnough(REQUEST)).isFalse();
    begin();
    assertThat(rows.areEnough(REQUEST)).isTrue();
    rows.listedInFull(nanos);
    assertThat(rows.areEnough(REQUEST)).isFalse();
  }

  @Test
  void theyBeginFiveSecondsBeforeTheLastListing() {
    begin();
    passes(Duration.ofSeconds(2));
    assertThat(rows.moment()).isEqualTo(Duration.ofSeconds(7));
    rows.listed(nanos, 0);
    assertThat(rows.moment()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void whereManyOfThemWaitTheOlderOnesAreLeftToTheWalk() {
    begin();
    rows.listed(nanos, 10_000);
    assertThat(rows.moment()).isEqualTo(Duration.ofMillis(500));
    passes(Duration.ofSeconds(3));
    rows.listed(nanos, 0);
    assertThat(rows.moment())
        .as("none is left out that was not")
        .isEqualTo(Duration.ofMillis(3_500));
    passes(Duration.ofSeconds(3));
    rows.listed(nanos, 0);
    assertThat(rows.moment()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aKeyIsWantedWhenItsRetryIsDue() {
    begin();
    rows.retry("a", Duration.ofSeconds(1));
    rows.retry("b", Duration.ofSeconds(3));
    assertThat(rows.takeWanted()).isEmpty();
    passes(Duration.ofSeconds(1));
    assertThat(rows.takeWanted()).containsExactly("a");
    assertThat(rows.takeWanted()).isEmpty();
    passes(Duration.ofSeconds(2));
    assertThat(rows.takeWanted()).containsExactly("b");
  }

  @Test
  void aListingOfAllOfTheTableHasWhatWasWantedButNotWhatIsDueLater() {
    begin();
    rows.want(List.of("a"));
    rows.retry("b", Duration.ofSeconds(1));
    rows.retry("c", Duration.ofSeconds(2));
    passes(Duration.ofSeconds(1));
    begin();
    passes(Duration.ofSeconds(1));
    assertThat(rows.takeWanted()).containsExactly("c");
  }

  @Test
  void aRetryThatBecameDueDuringAListingOfAllIsNotForgotten() {
    begin();
    rows.retry("a", Duration.ofSeconds(1));
    long startedAt = nanos;
    passes(Duration.ofSeconds(2));
    rows.listedInFull(startedAt);
    rows.begin(REQUEST, startedAt);
    assertThat(rows.takeWanted()).containsExactly("a");
  }

  @Test
  void aKeyInFlightIsWantedOnceItHasLanded() {
    begin();
    rows.wantOnceLanded("a");
    rows.landed("b");
    assertThat(rows.takeWanted()).isEmpty();
    rows.landed("a");
    assertThat(rows.takeWanted()).containsExactly("a");
  }

  @Test
  void ifTooManyKeysAreWantedAllIsListed() {
    begin();
    rows.want(IntStream.rangeClosed(0, RecentRows.MOST_KEYS).mapToObj(Integer::toString).toList());
    assertThat(rows.areEnough(REQUEST)).isFalse();
  }

  @Test
  void theWalkPausesForAHundredTimesAsLongAsAStepTakes() {
    begin();
    passes(Duration.ofMillis(10));
    assertThat(rows.mayStep()).isTrue();
    // What was not made up for within a second is forgiven.
    passes(Duration.ofHours(1));
    for (int step = 0; step < 10; step++) {
      assertThat(rows.mayStep()).isTrue();
      rows.stepped(Duration.ofMillis(5).toNanos(), RecentRows.STEP, SOMEWHERE);
    }
    assertThat(rows.mayStep()).as("one step in 100 ms, as the round is late").isTrue();
    rows.stepped(Duration.ofMillis(5).toNanos(), RecentRows.STEP, SOMEWHERE);
    assertThat(rows.mayStep()).isFalse();
    passes(Duration.ofMillis(100));
    assertThat(rows.mayStep()).isTrue();
  }

  @Test
  void aRoundBeginsAnewAtTheEndOfTheTable() {
    begin();
    for (int step = 0; step < 4; step++) {
      rows.stepped(1, RecentRows.STEP, SOMEWHERE);
      assertThat(rows.position()).isEqualTo(SOMEWHERE);
    }
    rows.stepped(1, RecentRows.STEP - 1, SOMEWHERE);
    assertThat(rows.position()).isNull();
    assertThat(rows.areEnough(REQUEST)).isTrue();
  }

  @Test
  void whenFewRowsWaitAllOfTheTableIsListedAgain() {
    begin();
    rows.stepped(1, 3, SOMEWHERE);
    assertThat(rows.areEnough(REQUEST)).isTrue();
    passes(Duration.ofSeconds(11));
    rows.stepped(1, 3, SOMEWHERE);
    assertThat(rows.areEnough(REQUEST)).isFalse();
  }
}
