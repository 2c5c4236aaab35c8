package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExploreUsageTest {
  private final CapturedTerminal terminal = new CapturedTerminal();

  private void assertRefused(String message, String... args) {
    assertThat(terminal.run(args)).as(message).isEqualTo(2);
    assertThat(terminal.out()).isEmpty();
    assertThat(terminal.err()).hasLineCount(1).contains(message);
  }

  @Test
  void itsHelpNamesTheOptionsThatThePagesUse() {
    assertThat(terminal.run("explore", "--help")).isZero();
    assertThat(terminal.out())
        .contains("Usage: postcommit explore", "Examples:")
        .contains("--schedules", "--seed", "--layout", "--scenario", "--number", "--state");
    assertThat(terminal.err()).isEmpty();
  }

  @Test
  void whatIsInvalidIsRefusedInOneLine() {
    assertRefused("--schedules: '0' is not positive", "explore", "--schedules", "0");
    assertRefused("--workers: '17' is not from 1 to 16", "explore", "--workers", "17");
    assertRefused("--layout: 'modkt' is not one of ", "explore", "--layout", "modkt");
    assertRefused("--scenario and --number go together", "explore", "--scenario", "log");
    assertRefused(
        "--scenario: there is none of the name 'nowhere'",
        "explore",
        "--scenario",
        "nowhere",
        "--number",
        "1");
    assertRefused(
        "--scenario: what 'native-threads' does depends on timing too, so no number plays it again",
        "explore",
        "--scenario",
        "native-threads",
        "--number",
        "1");
  }
}
