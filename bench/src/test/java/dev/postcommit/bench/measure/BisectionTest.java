package dev.postcommit.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BisectionTest {
  private final List<Integer> asked = new ArrayList<>();

  private int highest(int limit, int bisections) throws Exception {
    return Bisection.highest(
        500,
        64_000,
        bisections,
        rate -> {
          asked.add(rate);
          return rate <= limit;
        });
  }

  @Test
  void theRateIsDoubledUntilItIsNotHeldAndThenNarrowedDown() throws Exception {
    assertThat(highest(2_900, 3)).isEqualTo(2_828);
    assertThat(asked).containsExactly(500, 1_000, 2_000, 4_000, 2_828, 3_363, 3_084);
  }

  @Test
  void whoDoesNotHoldTheFirstRateIsAskedForLess() throws Exception {
    assertThat(highest(100, 1)).isEqualTo(88);
    assertThat(asked).containsExactly(500, 250, 125, 62, 88);
  }

  @Test
  void whoHoldsNothingHasNone() throws Exception {
    assertThat(highest(0, 3)).isZero();
    assertThat(asked).endsWith(1);
  }

  @Test
  void noMoreThanTheHighestIsAskedFor() throws Exception {
    assertThat(highest(1_000_000, 3)).isEqualTo(64_000);
    assertThat(asked).endsWith(64_000);
  }
}
