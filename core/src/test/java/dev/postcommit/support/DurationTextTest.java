package dev.postcommit.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationTextTest {

  @Test
  void isSpokenToThePrecisionThatPeopleWant() {
    assertThat(DurationText.spoken(Duration.ZERO)).isEqualTo("0 ms");
    assertThat(DurationText.spoken(Duration.ofNanos(603_135_520))).isEqualTo("603 ms");
    assertThat(DurationText.spoken(Duration.ofSeconds(3))).isEqualTo("3 s");
    assertThat(DurationText.spoken(Duration.ofMillis(41_390))).isEqualTo("41.3 s");
    assertThat(DurationText.spoken(Duration.ofMillis(60_999))).isEqualTo("1 min");
    assertThat(DurationText.spoken(Duration.ofMillis(724_200))).isEqualTo("12 min 4 s");
    assertThat(DurationText.spoken(Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
    assertThat(DurationText.spoken(Duration.ofHours(76))).isEqualTo("3 d 4 h");
  }

  @Test
  void shortFormsAreRead() {
    assertThat(DurationText.read("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(DurationText.read("30s")).isEqualTo(Duration.ofSeconds(30));
    assertThat(DurationText.read("5m")).isEqualTo(Duration.ofMinutes(5));
    assertThat(DurationText.read("2h")).isEqualTo(Duration.ofHours(2));
    assertThat(DurationText.read("30d")).isEqualTo(Duration.ofDays(30));
    assertThat(DurationText.read(" 10 S ")).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void isoFormsAreRead() {
    assertThat(DurationText.read("PT1M30S")).isEqualTo(Duration.ofSeconds(90));
    assertThat(DurationText.read("P30D")).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void anythingElseIsRefusedWithExamples() {
    for (String text : new String[] {"", "5", "5x", "s", "-5s", "1.5s", "5 minutes"}) {
      assertThatThrownBy(() -> DurationText.read(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("write 500ms, 30s, 5m");
    }
  }

  @Test
  void whatIsShownIsReadBackAsTheSame() {
    for (String text : new String[] {"0s", "1ms", "100ms", "90s", "5m", "36h", "30d"}) {
      assertThat(DurationText.show(DurationText.read(text))).isEqualTo(text);
    }
    Duration odd = Duration.ofNanos(1_500);
    assertThat(DurationText.read(DurationText.show(odd))).isEqualTo(odd);
  }
}
