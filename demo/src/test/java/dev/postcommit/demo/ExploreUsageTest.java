package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExploreUsageTest {
  private final CapturedTerminal terminal = new CapturedTerminal();

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
    terminal.assertRefused("--schedules: '0' is not positive", "explore", "--schedules", "0");
    terminal.assertRefused("--workers: '17' is not from 1 to 16", "explore", "--workers", "17");
    terminal.assertRefused("--layout: 'modkt' is not one of ", "explore", "--layout", "modkt");
    terminal.assertRefused("--scenario and --number go together", "explore", "--scenario", "log");
    terminal.assertRefused(
        "--scenario: there is none of the name 'nowhere'",
        "explore",
        "--scenario",
        "nowhere",
        "--number",
        "1");
    terminal.assertRefused(
        "--scenario: what 'native-threads' does depends on timing too, so no number plays it again",
        "explore",
        "--scenario",
        "native-threads",
        "--number",
        "1");
  }
}
