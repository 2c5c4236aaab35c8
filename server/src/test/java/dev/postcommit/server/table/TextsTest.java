package dev.postcommit.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextsTest {

  @Test
  void cellsAreOneLineOfBoundedLength() {
    assertThat(Texts.cell("one\n\ttwo", 20)).isEqualTo("one two");
    assertThat(Texts.cell("0123456789", 8)).isEqualTo("01234...");
    assertThat(Texts.cell(null, 8)).isEqualTo("-");
  }

  @Test
  void textIsToldFromBytesThatAreNone() {
    assertThat(Texts.decode("größe\n".getBytes(StandardCharsets.UTF_8))).contains("größe\n");
    assertThat(Texts.decode(new byte[] {(byte) 0xff, 0})).isEmpty();
  }

  @Test
  void whatWouldUpsetATerminalIsNoText() {
    assertThat(Texts.decode("\u001b[2J".getBytes(StandardCharsets.UTF_8))).isEmpty();
    assertThat(Texts.printable("a\u001b[2Jb")).isEqualTo("a [2Jb");
  }

  @Test
  void neitherDoLettersThatATerminalTakesForControls() {
    assertThat(Texts.cell("a\u009b2J\u0085b\u2028c\u202ed", 20)).isEqualTo("a 2J b c d");
    assertThat(Texts.decode("a\u202eb".getBytes(StandardCharsets.UTF_8))).isEmpty();
  }

  @Test
  void columnsOfATableAreAligned() {
    assertThat(Texts.table(List.of(List.of("ID", "KEY"), List.of("12345", "k"))))
        .containsExactly("ID     KEY", "12345  k");
  }
}
