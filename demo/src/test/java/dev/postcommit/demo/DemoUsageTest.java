package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoUsageTest {
  private final CapturedTerminal terminal = new CapturedTerminal();

  @Test
  void theDemoIsTheFirstOfAllCommandsAndTheFirstStep() {
    assertThat(terminal.run("--help")).isZero();
    assertThat(terminal.out())
        .containsPattern("Commands:\\R +demo ")
        .contains("  relay ", "  status ")
        .containsPattern("First steps:\\R  postcommit demo ");
    assertThat(terminal.err()).isEmpty();
  }

  @Test
  void theDemoHasHelpWithExamples() {
    assertThat(terminal.run("demo", "--help")).isZero();
    assertThat(terminal.out()).contains("Usage: postcommit demo", "Examples:");
    assertThat(terminal.err()).isEmpty();
  }

  @Test
  void aSandboxHasNoUserForADatabaseThatIsNotNamed() {
    terminal.assertRefused(
        "postcommit relay: database-user is given, and database-url is not; give it as well",
        "relay",
        "--sandbox",
        "--database-user=app");
  }

  @Test
  void whatIsInvalidIsRefusedInOneLine() {
    terminal.assertRefused("--events: '0' is not from 1 to 10000000", "demo", "--events", "0");
    terminal.assertRefused(
        "--broker: 'pulsar' is not one of kafka, pubsub", "demo", "--broker", "pulsar");
    terminal.assertRefused("--layout: 'modkit' is not native or log", "demo", "--layout", "modkit");
    terminal.assertRefused("unknown command 'dmeo'; did you mean demo?", "dmeo");
  }
}
