package dev.postcommit.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.server.OutboxFixture;
import dev.postcommit.server.http.AdminProcess.Answer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Health, which needs no token, tells of states and of nothing else. */
class HealthPageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ROLE = "no_such_role";

  @Test
  void errorsAreBehindTheToken() {
    try (OutboxFixture fixture = new OutboxFixture().migrate();
        AdminProcess process =
            new AdminProcess(
                fixture, relay -> relay.environment("POSTCOMMIT_DATABASE_USER", ROLE))) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(process.get("/api/v1/relays").body())
                      .contains(ROLE, "nothing listens at localhost:1"));
      URI health = process.health();
      for (String path : new String[] {"/readyz", "/actuator/health", "/actuator/health/relays"}) {
        Answer answer = process.send(HttpRequest.newBuilder(health.resolve(path)));
        assertThat(answer.status()).as(path).isEqualTo(503);
        assertThat(answer.body())
            .as(path)
            .contains("\"database\":\"unavailable\"", "\"broker\":\"unavailable\"")
            .doesNotContain(ROLE, "localhost", "127.0.0.1", "FATAL", "SQLSTATE");
      }
      assertThat(process.send(HttpRequest.newBuilder(process.admin().resolve("/api/v1/relays"))))
          .extracting(Answer::status)
          .isEqualTo(401);
    }
  }
}
