package dev.postcommit.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R48: outbox-publisher")
class OutboxPublisherTest {

  @Test
  void noArgumentsAtAllMeanARelay() {
    assertThat(OutboxPublisher.command()).containsExactly("relay");
  }

  @Test
  void optionsAloneAreThoseOfARelay() {
    assertThat(OutboxPublisher.command("--lease", "10s"))
        .containsExactly("relay", "--lease", "10s");
  }

  @Test
  void helpIsThatOfAllCommands() {
    for (String option : new String[] {"--help", "-h", "--version", "-V"}) {
      assertThat(OutboxPublisher.command(option)).containsExactly(option);
    }
  }

  @Test
  void aCommandIsRunAsItIs() {
    assertThat(OutboxPublisher.command("status")).containsExactly("status");
    assertThat(OutboxPublisher.command("dead", "list", "--limit", "5"))
        .containsExactly("dead", "list", "--limit", "5");
    assertThat(OutboxPublisher.command("relay", "--lease", "10s"))
        .containsExactly("relay", "--lease", "10s");
  }
}
