package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MainIT {

  @Test
  @DisplayName("R53, R8, R17, R23, R41, R42, R48: through all its bad days, and verified")
  void theExampleVerifiesItself() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int exitCode;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      exitCode = Main.run(out);
    }
    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(exitCode).as(output).isZero();
    assertThat(output.lines().reduce((first, second) -> second).orElseThrow())
        .startsWith("verified: 11 license changes, 11 notifications, each once");
  }
}
