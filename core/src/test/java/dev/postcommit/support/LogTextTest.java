package dev.postcommit.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogTextTest {
  @Test
  void whatEndsALineOrControlsATerminalIsEscaped() {
    assertThat(LogText.line("a\nb\r\nc\td")).isEqualTo("a\\nb\\r\\nc\\td");
    assertThat(LogText.line("\u001b[2J\u009b2J\0\u007f"))
        .isEqualTo("\\u001b[2J\\u009b2J\\u0000\\u007f");
    assertThat(LogText.line("a\u0085b\u2028c\u2029d\u202ee\u2066f"))
        .isEqualTo("a\\u0085b\\u2028c\\u2029d\\u202ee\\u2066f");
  }

  @Test
  void allElseStaysAsItIs() {
    String text = "order.placed größe 👩‍👧 \\n \"x\" {}";
    assertThat(LogText.line(text)).isSameAs(text);
    assertThat(LogText.line(null)).isEqualTo("null");
  }

  @Test
  void nothingIsLeftThatJavaTakesForALineBreak() {
    IntStream.rangeClosed(0, 0xffff)
        .filter(letter -> !Character.isSurrogate((char) letter))
        .mapToObj(letter -> "a" + (char) letter + "b")
        .forEach(
            text -> {
              assertThat(LogText.line(text).lines()).hasSize(1);
              assertThat(LogText.line(text).split("\\R")).hasSize(1);
            });
  }
}
