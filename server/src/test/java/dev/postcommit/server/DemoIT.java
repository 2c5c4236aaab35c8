package dev.postcommit.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoIT {

  @Test
  void aDemoWithKillsEndsVerified() {
    CapturedConsole console = CapturedConsole.withoutEnvironment();
    int exitCode = console.run("demo", "--events", "600", "--relays", "2", "--kill", "--seed", "7");
    assertThat(exitCode).as(console.out() + console.err()).isZero();
    assertThat(console.outLines())
        .last()
        .asString()
        .matches(
            "verified: (\\d+) committed, \\1 delivered, 0 lost, 0 phantom, 0 out of order, \\d+"
                + " duplicates, (\\d+) dead \\(expected \\2\\)");
    assertThat(console.out()).containsPattern("killed [1-9]").contains("enqueued twice");
    assertThat(console.err()).isEmpty();
  }
}
