package dev.postcommit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.crash.ArrivalTimes.Gap;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ArrivalTimesTest {
  private final ArrivalTimes times = new ArrivalTimes();

  @Test
  void theLongestGapIsThatOfTheKeyThatWasSilentForLongest() {
    times.arrived("1", "a", 10);
    times.arrived("2", "b", 20);
    times.arrived("3", "a", 30);
    times.arrived("4", "b", 90);
    times.arrived("5", "a", 95);

    assertThat(times.longestGap(0, 100)).isEqualTo(gap("b", 70));
  }

  @Test
  void aGapCountsFromTheGivenTimeOn() {
    times.arrived("1", "a", 10);
    times.arrived("2", "a", 90);

    assertThat(times.longestGap(50, 100)).isEqualTo(gap("a", 40));
  }

  @Test
  void aGapThatHasNotEndedCounts() {
    times.arrived("1", "a", 10);
    times.arrived("2", "b", 10);
    times.arrived("3", "b", 80);

    assertThat(times.longestGap(5, 100)).isEqualTo(gap("a", 90));
  }

  @Test
  void aDuplicateEndsNoGap() {
    times.arrived("1", "a", 10);
    times.arrived("1", "a", 50);
    times.arrived("2", "a", 90);

    assertThat(times.longestGap(0, 100)).isEqualTo(gap("a", 80));
    assertThat(times.keysSince(60)).isEqualTo(1);
    assertThat(times.keysSince(95)).isZero();
  }

  private static Gap gap(String key, long nanos) {
    return new Gap(key, Duration.ofNanos(nanos));
  }
}
