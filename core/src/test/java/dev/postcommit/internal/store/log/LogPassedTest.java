package dev.postcommit.internal.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogPassed.Range;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which numbers were left out for which transactions. */
class LogPassedTest {
  private static final long ALL = Long.MAX_VALUE;

  private final LogPassed passed = new LogPassed();

  @Test
  @DisplayName("each window leaves out what is below its own floor, of the ids that come with it")
  void eachWindowHasItsFloor() {
    passed.begin(Snapshot.of("10:10:"), 100, LogCursor.at(150, Snapshot.of("20:20:")));
    passed.add(20, 150);
    passed.add(30, 150);
    passed.add(40, 200);
    assertThat(passed.ranges())
        .containsExactly(new Range(10, 20, 100), new Range(20, 40, 150), new Range(40, ALL, 200));
    assertThat(passed.floor()).isEqualTo(200);
  }

  @Test
  @DisplayName("a transaction that was open at a look keeps the floor of its window for the next")
  void openTransactionsAreLookedForAgain() {
    passed.begin(Snapshot.of("10:10:"), 100, LogCursor.at(100, Snapshot.of("10:10:")));
    passed.add(20, 150);
    passed.checked(Snapshot.of("5:30:5,15,25"));
    assertThat(passed.ranges())
        .as("5 is older than what was looked for, and not left out")
        .containsExactly(new Range(15, 16, 100), new Range(25, 26, 150), new Range(30, ALL, 150));
    passed.checked(Snapshot.of("25:40:25"));
    assertThat(passed.ranges()).containsExactly(new Range(25, 26, 150), new Range(40, ALL, 150));
  }

  @Test
  @DisplayName("a floor that was lowered leaves nothing more out")
  void aLowerFloorIsNoFurtherRange() {
    passed.begin(Snapshot.of("10:10:"), 7, LogCursor.at(7, Snapshot.of("8:30:8")));
    assertThat(passed.ranges()).containsExactly(new Range(10, ALL, 7));
  }

  @Test
  @DisplayName("a floor does not hold for ids below those that it was found for")
  void aFloorHoldsFromItsOwnIdsOn() {
    passed.begin(
        Snapshot.of("50:50:"),
        100,
        new LogCursor(20, Snapshot.of("10:10:"), Snapshot.of("30:30:"), 25));
    passed.checked(Snapshot.of("30:30:"));
    assertThat(passed.ranges()).containsExactly(new Range(50, ALL, 100));
    passed.add(60, 150);
    passed.checked(Snapshot.of("55:55:"));
    assertThat(passed.ranges()).containsExactly(new Range(55, 60, 100), new Range(60, ALL, 150));
  }

  @Test
  @DisplayName("a floor stays with the ids it was found for when the snapshot of a look is older")
  void anOlderSnapshotLowersNoIds() {
    passed.begin(Snapshot.of("30:30:"), 100, LogCursor.at(150, Snapshot.of("40:40:")));
    passed.checked(Snapshot.of("20:20:"));
    assertThat(passed.ranges()).containsExactly(new Range(30, 40, 100), new Range(40, ALL, 150));
  }
}
