package dev.postcommit.internal.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScanLimitTest {
  private final AtomicLong clock = new AtomicLong();
  private final ScanLimit limit = ScanLimit.ofClaims(clock::get);

  private void claim(boolean exhausted) {
    int rows = limit.rows(10);
    limit.learn(rows, exhausted ? rows : -1);
  }

  private void pass(long millis) {
    clock.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void aFewBatchesAreLookedAt() {
    assertThat(limit.rows(10)).isEqualTo(4096);
    assertThat(limit.rows(10_000)).isEqualTo(80_000);
  }

  @Test
  void aKeyThatIsBusyForAMomentDoesNotWidenTheWindow() {
    for (int i = 0; i < 100; i++) {
      claim(true);
      pass(15);
      claim(true);
      claim(false);
    }
    assertThat(limit.rows(10)).isEqualTo(4096);
  }

  @Test
  void theWindowWidensWhileTooLittleIsFound() {
    claim(true);
    for (int i = 0; i < 5; i++) {
      pass(20);
      claim(true);
    }
    assertThat(limit.rows(10)).isEqualTo(4096 * 32);
    for (int i = 0; i < 60; i++) {
      pass(20);
      claim(true);
    }
    assertThat(limit.rows(10)).isEqualTo(1 << 30);
  }

  @Test
  void theWindowNarrowsAgainWhenBatchesAreFullForLong() {
    claim(true);
    pass(20);
    claim(true);
    for (int i = 0; i < 199; i++) {
      claim(false);
    }
    assertThat(limit.rows(10)).isEqualTo(8192);
    claim(false);
    assertThat(limit.rows(10)).isEqualTo(4096);
  }

  @Test
  void anEmptyTableIsNotAReasonToNarrow() {
    claim(true);
    pass(20);
    claim(true);
    for (int i = 0; i < 1000; i++) {
      limit.learn(limit.rows(10), 0);
    }
    assertThat(limit.rows(10)).isEqualTo(8192);
  }
}
