package dev.postcommit.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.bench.contender.BenchEvent;
import dev.postcommit.bench.contender.Keys;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TapTest {
  private static int number(String body) {
    return Tap.number(bytes(body), bytes("\"run7-"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theNumberOfAnEventIsFoundInItsBody() {
    BenchEvent event = BenchEvent.of(7, 12_345, Keys.SPREAD, 300);
    assertThat(event.body()).hasSize(300);
    assertThat(number(event.body())).isEqualTo(12_345);
    assertThat(number("{\"n\": \"run7-0\", \"pad\": \"x\"}")).isZero();
  }

  @Test
  void eventsOfOtherRunsAreNot() {
    assertThat(number(BenchEvent.of(8, 1, Keys.SPREAD, 300).body())).isEqualTo(-1);
    assertThat(number(BenchEvent.of(77, 1, Keys.SPREAD, 300).body())).isEqualTo(-1);
    assertThat(number("{}")).isEqualTo(-1);
    assertThat(number("")).isEqualTo(-1);
  }
}
