package dev.postcommit.examples.minichat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/** The run of the whole system (R55). */
class MiniChatIT {

  @Test
  void aRunEndsVerified() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    boolean verified =
        new MiniChat(new PrintStream(output, true, UTF_8)).run(PostgresServer.shared(), 160);

    assertThat(verified).as(output.toString(UTF_8)).isTrue();
    assertThat(output.toString(UTF_8))
        .contains("141 settled")
        .containsPattern("by SIGKILL, .* events it held: [1-9]")
        .containsPattern(
            "dead .*: gave up after 8 attempts: .*billing knows no policy of version 8")
        .contains("degraded: 1 dead, ")
        .contains("140 charges")
        .containsPattern(
            "verified: 140 turns are charged exactly once, .*; dead, as expected: 1\\n$");
  }
}
