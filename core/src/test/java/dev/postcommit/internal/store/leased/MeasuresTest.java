package dev.postcommit.internal.store.leased;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeasuresTest {
  private final Measures measures = new Measures();

  @Test
  void asManyAreMeasuredAsFitIntoABatch() {
    for (int claims = 0; claims < 8; claims++) {
      measures.learn(measures.most(), measures.most(), 100);
    }
    assertThat(measures.most()).isEqualTo(1_024);
    measures.learn(3, 1_024, 100);
    assertThat(measures.most()).isEqualTo(6);
    measures.learn(1, 6, 100);
    assertThat(measures.most()).isEqualTo(4);
  }

  @Test
  void whereNothingIsCompressedNothingChanges() {
    measures.learn(500, 0, 0);
    measures.learn(0, 0, 0);
    assertThat(measures.most()).isEqualTo(4);
  }
}
