package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code postcommit explore} with few schedules. */
class ExploreIT {
  @TempDir Path directory;

  private CapturedTerminal explore(String schedules, String seed) {
    CapturedTerminal terminal = new CapturedTerminal();
    String state = directory.resolve("state.properties").toString();
    int code =
        terminal.run(
            "explore",
            "--layout",
            "held",
            "--schedules",
            schedules,
            "--seed",
            seed,
            "--state",
            state);
    assertThat(code).as(terminal.out() + terminal.err()).isEqualTo(seed.equals("7") ? 0 : 1);
    return terminal;
  }

  @Test
  void aSearchGoesOnWhereAnotherEnded() throws Exception {
    assertThat(explore("40", "7").out()).contains("nothing found in 40 schedules");
    String after40 = Files.readString(directory.resolve("state.properties"));

    CapturedTerminal on = explore("80", "7");
    assertThat(on.err()).contains("80 schedules, of which 40 were played before", "/s", "pairs");
    assertThat(on.out()).contains("nothing found in 80 schedules");
    assertThat(Files.readString(directory.resolve("state.properties"))).isNotEqualTo(after40);

    assertThat(explore("80", "7").err()).contains("of which 80 were played before");
    assertThat(explore("80", "8").err()).contains("is of a search with seed 7, not 8");
  }
}
