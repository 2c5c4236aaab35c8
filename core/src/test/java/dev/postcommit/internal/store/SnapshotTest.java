package dev.postcommit.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SnapshotTest {

  @Test
  void aSnapshotIsReadAsPostgresWritesIt() {
    Snapshot snapshot = Snapshot.of("10:20:12,10,15");

    assertThat(snapshot.xmax()).isEqualTo(20);
    assertThat(snapshot.running()).containsExactly(10, 12, 15);
    assertThat(snapshot.runningBelow(12)).containsExactly(10L);
    assertThat(snapshot).hasToString("10:20:12,10,15").isEqualTo(Snapshot.of("10:20:12,10,15"));
  }

  @Test
  void nothingMayBeRunning() {
    assertThat(Snapshot.of("7:7:").running()).isEmpty();
    assertThat(Snapshot.of("7:7:")).isNotEqualTo(Snapshot.of("7:8:"));
  }

  @Test
  void idsMayBeBeyondFourBillion() {
    assertThat(Snapshot.of("4294967300:4294967400:4294967301").running())
        .containsExactly(4294967301L);
  }
}
