package dev.postcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.layout.Layout;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  private static final RetryPolicy POLICY =
      new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofSeconds(1), Duration.ofSeconds(300));

  @Test
  @DisplayName(
      "R34: the delay doubles from the base to the longest, the limit applied before jitter")
  void theDelayDoublesUpToTheLongest() {
    Random random = new Random(1);
    int[] seconds = {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300};
    for (int attempt = 1; attempt <= seconds.length; attempt++) {
      Duration delay = Duration.ofSeconds(seconds[attempt - 1]);
      Duration least = delay;
      Duration most = Duration.ZERO;
      for (int i = 0; i < 2_000; i++) {
        Duration jittered = POLICY.delayAfter(attempt, random).orElseThrow();
        assertThat(jittered).isBetween(delay.dividedBy(2), delay);
        least = jittered.compareTo(least) < 0 ? jittered : least;
        most = jittered.compareTo(most) > 0 ? jittered : most;
      }
      assertThat(most.minus(least)).isGreaterThan(delay.dividedBy(3));
    }
  }

  @Test
  @DisplayName("R34: total deliveries never exceed the attempts allowed")
  void givesUpAfterTheLastAttempt() {
    RetryPolicy three = POLICY.withMaxAttempts(3);

    assertThat(three.delayAfter(2, new Random(1))).isPresent();
    assertThat(three.delayAfter(3, new Random(1))).isEmpty();
    assertThat(three.delayAfter(4, new Random(1))).isEmpty();
  }

  @Test
  void survivesAnyNumberOfAttempts() {
    assertThat(POLICY.delayAfter(2_000_000_000, new Random(1)).orElseThrow())
        .isBetween(Duration.ofSeconds(150), Duration.ofSeconds(300));
  }

  @Test
  void theDefaultsAreAsDocumented() {
    assertThat(RetryPolicy.DEFAULT)
        .isEqualTo(new RetryPolicy(20, Duration.ofSeconds(1), Duration.ofMinutes(5)));
  }

  @Test
  void contradictionsAreRefusedWithTheirValues() {
    assertThatThrownBy(() -> POLICY.withMaxAttempts(0)).hasMessageContaining("maxAttempts");
    assertThatThrownBy(() -> new RetryPolicy(1, Duration.ZERO, Duration.ofSeconds(1)))
        .hasMessageContaining("baseDelay");
    assertThatThrownBy(() -> new RetryPolicy(1, Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessageContaining("PT2S")
        .hasMessageContaining("PT1S");
  }

  @Test
  @DisplayName("R35: without jitter the delay is exact")
  void withoutJitterTheDelayIsExact() {
    RetryPolicy exact = new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofMinutes(5), 0);
    for (int attempt = 1; attempt < 5; attempt++) {
      assertThat(exact.delayAfter(attempt, new Random(attempt)))
          .contains(Duration.ofSeconds(1 << (attempt - 1)));
    }
    assertThat(exact.delayAfter(5, new Random(5))).isEmpty();
  }

  @Test
  void refusesJitterBeyondTheWholeDelay() {
    for (double wrong : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(
              () -> new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofSeconds(1), wrong))
          .hasMessageContaining("jitter")
          .hasMessageContaining(String.valueOf(wrong));
    }
  }

  @Test
  @DisplayName("R34, R35, R36: each layout has the retries of its source")
  void eachLayoutHasTheRetriesOfItsSource() {
    assertThat(Layout.preset("logistik").retryPolicy())
        .isEqualTo(new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofMinutes(5), 0));
    assertThat(Layout.preset("packfinderz").retryPolicy())
        .isEqualTo(new RetryPolicy(25, Duration.ofMillis(500), Duration.ofSeconds(10), 0.5));
    assertThat(Layout.preset("polyshop").retryPolicy().maxAttempts())
        .isEqualTo(RetryPolicy.UNLIMITED);
    assertThat(Layout.nativeTable().retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);
  }
}
