package dev.postcommit.support;

import static org.assertj.core.api.Assertions.assertThat;

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
}
