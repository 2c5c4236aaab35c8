package dev.postcommit.internal.store.leased;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeasuringLimitTest {
  private final MeasuringLimit limit = new MeasuringLimit();

  @Test
  void asManyAreMeasuredAsFitIntoABatch() {
    for (int claims = 0; claims < 8; claims++) {
      limit.learn(limit.current(), limit.current(), 100);
    }
    assertThat(limit.current()).isEqualTo(1_024);
    limit.learn(3, 1_024, 100);
    assertThat(limit.current()).isEqualTo(6);
    limit.learn(1, 6, 100);
    assertThat(limit.current()).isEqualTo(4);
  }

  @Test
  void whereNothingIsCompressedNothingChanges() {
    limit.learn(500, 0, 0);
    limit.learn(0, 0, 0);
    assertThat(limit.current()).isEqualTo(4);
  }
}
