package dev.postcommit.server.http;

import static dev.postcommit.server.http.AdminProcess.RELAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.server.http.AdminProcess.Answer;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Operators' requests on bad days of the database. */
class AdminOutageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String REPLAY = "{\"all\":true,\"operator\":\"ada\"}";

  @Test
  void whileTheDatabaseIsAwayRequestsSaySoAndAfterwardsTheyAreGranted() throws SQLException {
    try (PostgresServer server = PostgresServer.start();
        OutboxFixture fixture = new OutboxFixture(server)) {
      fixture.migrate();
      fixture.enqueueDead(Event.builder("order.placed").json("{}"), "too large");
      try (AdminProcess process = new AdminProcess(fixture)) {
        assertThat(process.get(RELAY + "/status").status()).isEqualTo(200);

        server.stopImmediate();
        assertUnavailable(process.get(RELAY + "/status"));
        assertUnavailable(process.get(RELAY + "/dead"));
        assertUnavailable(process.post(RELAY + "/dead/replay", REPLAY));
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    process
                        .get("/api/v1/relays")
                        .json()
                        .at("/relays/0/database/problem")
                        .isTextual());

        server.restart();
        Answer replayed = process.post(RELAY + "/dead/replay", REPLAY);
        assertThat(replayed.json().path("replayed").asInt()).isEqualTo(1);
      }
    }
  }

  private static void assertUnavailable(Answer answer) {
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.detail())
        .startsWith("cannot reach the database jdbc:postgresql://")
        .doesNotContain("Exception", "\tat ");
  }

  @Test
  void aTableThatIsNotThereIsTheDatabasesProblemToo() {
    try (OutboxFixture fixture = new OutboxFixture();
        AdminProcess process = new AdminProcess(fixture)) {
      Answer answer = process.get(RELAY + "/status");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.detail()).contains("run 'postcommit migrate' first");
    }
  }
}
