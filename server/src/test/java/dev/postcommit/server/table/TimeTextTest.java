package dev.postcommit.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeTextTest {

  @Test
  void agesAreRoundedForPeople() {
    assertThat(TimeText.age(Duration.ofMillis(340))).isEqualTo("340ms");
    assertThat(TimeText.age(Duration.ofMillis(4_210))).isEqualTo("4.2s");
    assertThat(TimeText.age(Duration.ofSeconds(185))).isEqualTo("3m 5s");
    assertThat(TimeText.age(Duration.ofMinutes(150))).isEqualTo("2h 30m");
    assertThat(TimeText.age(Duration.ofHours(50))).isEqualTo("2d 2h");
  }
}
