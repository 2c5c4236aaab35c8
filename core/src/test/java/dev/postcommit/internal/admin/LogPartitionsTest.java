package dev.postcommit.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.admin.LogPartitions.Partition;
import dev.postcommit.internal.admin.LogPartitions.Range;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which partition of a log is made next. */
class LogPartitionsTest {
  private static final long M = 1_000_000;

  private static Partition partition(long lower, long upper) {
    return new Partition("p", lower, upper, true, true);
  }

  private static final Partition FIRST = partition(Long.MIN_VALUE, 10 * M);

  @Test
  @DisplayName("one follows when half of the last is used up")
  void oneFollows() {
    assertThat(LogPartitions.enough(List.of(FIRST), 5 * M - 1)).isEqualTo(10 * M);
    assertThat(LogPartitions.enough(List.of(FIRST), 5 * M)).isEqualTo(5 * M);
    assertThat(LogPartitions.range(List.of(FIRST), 5 * M, 0)).isEqualTo(new Range(10 * M, 20 * M));
  }

  @Test
  @DisplayName("where numbers have none, one begins well ahead, and that is enough for a while")
  void oneBeginsAhead() {
    assertThat(LogPartitions.range(List.of(FIRST), 25 * M, 0)).isEqualTo(new Range(40 * M, 50 * M));
    List<Partition> both = List.of(FIRST, partition(40 * M, 50 * M));
    assertThat(LogPartitions.enough(both, 26 * M)).isEqualTo(50 * M);
    assertThat(LogPartitions.enough(both, 44 * M)).isEqualTo(50 * M);
    assertThat(LogPartitions.range(both, 46 * M, 0)).isEqualTo(new Range(50 * M, 60 * M));
  }

  @Test
  @DisplayName("one that needs a margin begins further ahead if there is none")
  void oneWithAMargin() {
    assertThat(LogPartitions.range(List.of(FIRST), 9 * M - 1, M))
        .isEqualTo(new Range(10 * M, 20 * M));
    assertThat(LogPartitions.range(List.of(FIRST), 9 * M, M)).isEqualTo(new Range(20 * M, 30 * M));
  }

  @Test
  @DisplayName("those of others are counted in, and never overlapped")
  void thoseOfOthersCount() {
    List<Partition> all =
        List.of(
            FIRST,
            partition(10 * M, 13 * M),
            partition(18 * M, 19 * M),
            partition(90 * M, Long.MAX_VALUE));
    assertThat(LogPartitions.enough(all, 9 * M)).as("one with a gap before it").isEqualTo(19 * M);
    assertThat(LogPartitions.range(all, 12 * M, 0)).isEqualTo(new Range(13 * M, 18 * M));
    assertThat(LogPartitions.range(all, 18 * M, 0)).isEqualTo(new Range(19 * M, 20 * M));
    assertThat(LogPartitions.enough(all, 60 * M)).as("too far ahead").isEqualTo(60 * M);
    assertThat(LogPartitions.enough(all, 70 * M)).isEqualTo(Long.MAX_VALUE);
  }
}
