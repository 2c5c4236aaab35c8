package dev.postcommit.internal.store.leased;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.store.leased.LeasedFloor.Listing;
import dev.postcommit.internal.store.leased.LeasedFloor.Sight;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeasedFloorTest {
  private static final long EPOCH = 7;
  private static final long SECOND = 1_000_000;

  /** When the first list is made, in microseconds. */
  private static final long START = 1_000 * SECOND;

  private static final int MANY_PAGES = 5_000;

  private long nanos = Duration.ofHours(1).toNanos();
  private final LeasedFloor floor = new LeasedFloor(() -> nanos);

  private void list(long seconds, String... running) {
    floor.list(new Listing(EPOCH, START + seconds * SECOND, List.of(running)));
  }

  private boolean claim(long lowest, boolean hasEnded) {
    return floor.learn(floor.view(), new Sight(1, MANY_PAGES, EPOCH, lowest, hasEnded));
  }

  private void claim() {
    claim(Long.MAX_VALUE, false);
  }

  private void begin() {
    floor.learn(floor.view(), new Sight(1, MANY_PAGES));
  }

  private long floorInSeconds() {
    return (floor.view().floor() - START) / SECOND;
  }

  @Test
  void whereClaimsReadLittleThereIsNone() {
    floor.learn(floor.view(), new Sight(0, 200));
    floor.learn(floor.view(), new Sight(500, 2_200));

    assertThat(floor.view().isBounded()).isFalse();
    assertThat(floor.wantsList()).isFalse();
  }

  @Test
  void itRisesToASecondBeforeTheListBeforeTheLast() {
    begin();
    assertThat(floor.wantsList()).isTrue();
    list(0);
    claim();
    assertThat(floor.view().floor()).isZero();
    list(10);
    assertThat(floor.view().floor()).as("nobody has looked since").isZero();
    claim();
    assertThat(floorInSeconds()).isEqualTo(-1);
    list(20);
    claim();
    assertThat(floorInSeconds()).isEqualTo(9);
  }

  @Test
  void itStaysBelowWhatIsNotDelivered() {
    begin();
    list(0);
    claim();
    list(10);
    claim(START - 5 * SECOND, false);

    assertThat(floorInSeconds()).isEqualTo(-5);
    assertThat(floor.view().since()).isEqualTo(START - SECOND);
  }

  @Test
  void anOldRowThatAClaimFoundLowersIt() {
    begin();
    list(0);
    claim();
    list(10);
    claim();
    claim(START - 60 * SECOND, false);

    assertThat(floorInSeconds()).isEqualTo(-60);
  }

  @Test
  void transactionsThatAreInTwoListsAreWatched() {
    begin();
    list(0, "1/1");
    claim();
    list(10, "1/1", "2/1");
    claim();
    assertThat(floor.view().watched()).containsOnlyKeys("1/1").containsEntry("1/1", 0L);
    list(20, "1/1", "2/1", "3/1");
    claim();
    assertThat(floor.view().watched())
        .containsOnlyKeys("1/1", "2/1")
        .containsEntry("2/1", START - SECOND);
  }

  @Test
  void whoHasEndedIsWatchedUntilAClaimHasLookedAfterAListWithoutIt() {
    begin();
    list(0, "1/1");
    claim();
    list(10, "1/1");
    claim();
    claim(Long.MAX_VALUE, true);
    assertThat(floor.view().watched()).containsOnlyKeys("1/1");
    assertThat(floor.wantsList()).isTrue();
    list(20);
    assertThat(floor.view().watched()).containsOnlyKeys("1/1");
    claim(Long.MAX_VALUE, true);
    assertThat(floor.view().watched()).isEmpty();
  }

  @Test
  void aPreparedTransactionIsAsOldAsTheOldestThatWentWhenItCame() {
    begin();
    list(0);
    claim();
    list(10, "1/1");
    claim();
    list(20, "1/1", "2/1");
    claim();
    list(30, "2/1", "-1/99");
    claim();

    assertThat(floor.view().watched()).containsEntry("-1/99", START - SECOND);
  }

  @Test
  void aClockThatWasSetBackVoidsIt() {
    begin();
    list(0);
    claim();
    list(10);
    claim();
    list(5);

    assertThat(floor.view().floor()).isZero();
    claim();
    assertThat(floor.view().floor()).isZero();
  }

  @Test
  void aRestartedServerVoidsIt() {
    begin();
    list(0);
    claim();
    list(10);
    claim();
    floor.learn(floor.view(), new Sight(1, MANY_PAGES, EPOCH + 1, Long.MAX_VALUE, false));

    assertThat(floor.view().floor()).isZero();
    assertThat(floor.wantsList()).isTrue();
  }

  @Test
  void fromTimeToTimeAClaimLooksAtEverything() {
    begin();
    list(0);
    claim();
    list(10);
    claim();
    assertThat(floor.view().looksAtAll()).isFalse();
    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(floor.view().looksAtAll()).isTrue();
    assertThat(floor.view().floor()).isZero();
    claim(START, false);
    assertThat(floor.view().looksAtAll()).isFalse();
    assertThat(floorInSeconds()).isEqualTo(-1);
    nanos += Duration.ofMillis(1_999).toNanos();
    assertThat(floor.view().looksAtAll()).isFalse();
    nanos += Duration.ofMillis(1).toNanos();
    assertThat(floor.view().looksAtAll()).isTrue();
  }

  @Test
  void aRowWhereNoneShouldBeEndsItsUseForAnHour() {
    begin();
    list(0);
    claim();
    list(10);
    claim();
    nanos += Duration.ofSeconds(1).toNanos();

    assertThat(claim(START - 60 * SECOND, false)).isTrue();
    assertThat(floor.view().isBounded()).isFalse();
    begin();
    assertThat(floor.view().isBounded()).isFalse();
    nanos += Duration.ofHours(1).toNanos();
    begin();
    assertThat(floor.view().isBounded()).isTrue();
  }

  @Test
  void itIsNotUsedAnyMoreWhenALookAtEverythingCostsLittle() {
    begin();
    list(0);
    claim();
    list(10);
    claim();
    nanos += Duration.ofSeconds(1).toNanos();
    floor.learn(floor.view(), new Sight(1, 10, EPOCH, Long.MAX_VALUE, false));

    assertThat(floor.view().isBounded()).isFalse();
  }
}
