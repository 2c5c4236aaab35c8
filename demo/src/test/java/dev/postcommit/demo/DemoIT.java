package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoIT {

  private final CapturedConsole console = new CapturedConsole();

  private void assertVerified(String... args) {
    assertThat(console.run(args)).as(console.out() + console.err()).isZero();
    assertThat(console.outLines())
        .last()
        .asString()
        .matches(
            "verified: (\\d+) committed, \\1 delivered, 0 lost, 0 phantom, 0 out of order, \\d+"
                + " duplicates, (\\d+) dead \\(expected \\2\\)");
    assertThat(console.err()).isEmpty();
  }

  @Test
  void aDemoWithKillsEndsVerified() {
    assertVerified("demo", "--events", "600", "--relays", "2", "--kill", "--seed", "7");
    assertThat(console.out())
        .contains("a real Kafka", "enqueued twice")
        .containsPattern("killed [1-9]");
  }

  @Test
  void aDemoOfALogEndsVerified() {
    assertVerified("demo", "--layout", "log", "--events", "600", "--kill");
    assertThat(console.out()).containsPattern("killed [1-9]");
  }

  @Test
  void aDemoOnPubSubEndsVerified() {
    assertVerified("demo", "--broker", "pubsub", "--events", "600", "--relays", "1");
    assertThat(console.out()).contains("and Pub/Sub (").doesNotContain("Kafka");
  }
}
