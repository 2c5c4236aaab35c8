package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationsTest {

  @Test
  void shortFormsAreRead() {
    assertThat(Durations.read("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(Durations.read("30s")).isEqualTo(Duration.ofSeconds(30));
    assertThat(Durations.read("5m")).isEqualTo(Duration.ofMinutes(5));
    assertThat(Durations.read("2h")).isEqualTo(Duration.ofHours(2));
    assertThat(Durations.read("30d")).isEqualTo(Duration.ofDays(30));
    assertThat(Durations.read(" 10 S ")).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void isoFormsAreRead() {
    assertThat(Durations.read("PT1M30S")).isEqualTo(Duration.ofSeconds(90));
    assertThat(Durations.read("P30D")).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void anythingElseIsRefusedWithExamples() {
    for (String text : new String[] {"", "5", "5x", "s", "-5s", "1.5s", "5 minutes"}) {
      assertThatThrownBy(() -> Durations.read(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("write 500ms, 30s, 5m");
    }
  }

  @Test
  void whatIsShownIsReadBackAsTheSame() {
    for (String text : new String[] {"0s", "1ms", "100ms", "90s", "5m", "36h", "30d"}) {
      assertThat(Durations.show(Durations.read(text))).isEqualTo(text);
    }
    Duration odd = Duration.ofNanos(1_500);
    assertThat(Durations.read(Durations.show(odd))).isEqualTo(odd);
  }

  @Test
  void agesAreRoundedForPeople() {
    assertThat(Durations.round(Duration.ofMillis(340))).isEqualTo("340ms");
    assertThat(Durations.round(Duration.ofMillis(4_210))).isEqualTo("4.2s");
    assertThat(Durations.round(Duration.ofSeconds(185))).isEqualTo("3m 5s");
    assertThat(Durations.round(Duration.ofMinutes(150))).isEqualTo("2h 30m");
    assertThat(Durations.round(Duration.ofHours(50))).isEqualTo("2d 2h");
  }
}
