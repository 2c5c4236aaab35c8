package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoIT {

  private final CapturedTerminal terminal = new CapturedTerminal();

  private void assertVerified(String... args) {
    assertThat(terminal.run(args)).as(terminal.out() + terminal.err()).isZero();
    assertThat(terminal.outLines())
        .last()
        .asString()
        .matches(
            "verified: (\\d+) committed, \\1 delivered, 0 lost, 0 phantom, 0 out of order, \\d+"
                + " duplicates, (\\d+) dead \\(expected \\2\\)");
    assertThat(terminal.err()).isEmpty();
  }

  @Test
  void aDemoWithKillsEndsVerified() {
    assertVerified("demo", "--events", "600", "--relays", "2", "--kill", "--seed", "7");
    assertThat(terminal.out())
        .contains("a real Kafka", "enqueued twice")
        .containsPattern("killed [1-9]");
  }

  @Test
  void aDemoOfALogEndsVerified() {
    assertVerified("demo", "--layout", "log", "--events", "600", "--kill");
    assertThat(terminal.out()).containsPattern("killed [1-9]");
  }

  @Test
  void aDemoOnPubSubEndsVerified() {
    assertVerified("demo", "--broker", "pubsub", "--events", "600", "--relays", "1");
    assertThat(terminal.out()).contains("and Pub/Sub (").doesNotContain("Kafka");
  }
}
