package dev.postcommit.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.store.StandbyPositions.Positions;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandbyPositionsTest {
  private static final long PAGE = 8192;
  private static final long SEGMENT = 16L << 20;

  private static long end(long position) {
    return StandbyPositions.endOfLastRecord(position, PAGE, SEGMENT);
  }

  @Test
  void behindTheHeaderOfAPageTheLastRecordEndedWithThePageBefore() {
    assertThat(end(SEGMENT + 3 * PAGE + 24)).isEqualTo(SEGMENT + 3 * PAGE);
  }

  @Test
  void behindTheLongerHeaderOfASegmentTheLastRecordEndedWithTheSegmentBefore() {
    assertThat(end(5 * SEGMENT + 40)).isEqualTo(5 * SEGMENT);
  }

  @Test
  void anyOtherPositionIsTheEndOfARecord() {
    for (long offset : new long[] {32, 40, 48, 4096, PAGE - 8}) {
      assertThat(end(SEGMENT + PAGE + offset)).isEqualTo(SEGMENT + PAGE + offset);
    }
    assertThat(end(SEGMENT + 48)).isEqualTo(SEGMENT + 48);
    assertThat(end(SEGMENT + PAGE)).isEqualTo(SEGMENT + PAGE);
    assertThat(end(SEGMENT)).isEqualTo(SEGMENT);
  }

  @Test
  void pagesAndSegmentsMayHaveOtherSizes() {
    assertThat(StandbyPositions.endOfLastRecord(4096 + 24, 4096, 1L << 30)).isEqualTo(4096);
    assertThat(StandbyPositions.endOfLastRecord(8192 + 24, 16_384, 1L << 30)).isEqualTo(8216);
    assertThat(StandbyPositions.endOfLastRecord((1L << 30) + 40, 4096, 1L << 30))
        .isEqualTo(1L << 30);
  }

  @Test
  void soManyStandbysHaveWhatTheLastOfThemHas() {
    Positions positions = new Positions(1, 900, 800, Map.of("a", 300L, "b", 700L, "c", 500L));
    assertThat(positions.of(1)).isEqualTo(700);
    assertThat(positions.of(2)).isEqualTo(500);
    assertThat(positions.of(3)).isEqualTo(300);
    assertThat(positions.of(4)).isEqualTo(-1);
    assertThat(new Positions(1, 900, 800, Map.of()).of(1)).isEqualTo(-1);
  }
}
