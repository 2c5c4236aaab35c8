package dev.postcommit.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void helpIsGiven() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("usage: examples/polyshop/run");
  }

  @Test
  void wrongUsageIsExplained() {
    assertThat(run("--kill", "nobody")).isEqualTo(2);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("polyshop: --kill: there is no service 'nobody'")
        .contains("usage:");
  }

  private int run(String... args) {
    return Main.run(new PrintStream(out, true, StandardCharsets.UTF_8), args);
  }
}
