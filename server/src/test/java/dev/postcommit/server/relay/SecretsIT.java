package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets are in no output of a relay process, whatever happens. */
class SecretsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A part of every secret. */
  private static final String SECRET = "hunter2";

  private static final String JAAS =
      "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required";

  private static final String SASL = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n";

  private final Processes processes = Processes.create();
  private final OutboxFixture fixture = new OutboxFixture();

  @TempDir private Path directory;

  @AfterEach
  void close() {
    processes.close();
    fixture.close();
  }

  private Processes.Builder relay(String format) throws IOException {
    Path file = directory.resolve("kafka.properties");
    Files.writeString(file, "ssl.truststore.password=" + SECRET + "-store\n");
    Processes.Builder relay = processes.java(Main.class).arguments("relay");
    fixture.environment().forEach(relay::environment);
    return relay
        .environment("POSTCOMMIT_LOG_FORMAT", format)
        .environment("POSTCOMMIT_HTTP_PORT", "0")
        .environment("POSTCOMMIT_ADMIN_PORT", "0")
        .environment("POSTCOMMIT_ADMIN_TOKEN", SECRET + "-admin-0123456789")
        .environment("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", "localhost:1")
        .environment("POSTCOMMIT_KAFKA_CONFIG_FILE", file.toString())
        .environment(
            "POSTCOMMIT_KAFKA_CONFIG",
            SASL + JAAS + " username=\"relay\" password=\"" + SECRET + "-kafka\";");
  }

  @Test
  void aRelayWhoseNeighboursAreAwayShowsNoSecret() throws IOException {
    List<ChildProcess> relays = new ArrayList<>();
    for (String format : List.of("text", "json")) {
      relays.add(
          relay(format).environment("POSTCOMMIT_DATABASE_PASSWORD", SECRET + "-database").start());
      relays.add(
          relay(format)
              .environment(
                  "POSTCOMMIT_DATABASE_URL",
                  "jdbc:postgresql://localhost:1/x?password=" + SECRET + "-url")
              .start());
    }
    for (ChildProcess relay : relays) {
      await().atMost(PATIENCE).until(() -> relay.output().contains("unavailable, waiting for it"));
      relay.terminate();
      assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
      assertThat(relay.output()).contains("localhost:1").doesNotContain(SECRET);
    }
  }

  @Test
  void aRelayThatRefusesASecretDoesNotShowIt() throws IOException {
    String[][] mistakes = {
      {"POSTCOMMIT_DATABASE_URL", "jdbc:mysql://db/x?password=" + SECRET},
      {"POSTCOMMIT_DATABASE_URL", "jdbc:postgresql://me:" + SECRET + "@db:5432/x"},
      {"POSTCOMMIT_KAFKA_CONFIG", SECRET},
      {"POSTCOMMIT_ADMIN_TOKEN", SECRET}
    };
    List<ChildProcess> relays = new ArrayList<>();
    for (String[] mistake : mistakes) {
      relays.add(
          relay("json").arguments("--stacktrace").environment(mistake[0], mistake[1]).start());
    }
    for (ChildProcess relay : relays) {
      assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isEqualTo(2);
      assertThat(relay.output()).contains("the value ").doesNotContain(SECRET);
    }
  }

  @Test
  void aLoginThatKafkaCannotReadIsNotShown() throws IOException {
    List<ChildProcess> relays = new ArrayList<>();
    for (String login : List.of(" username=\"relay\" " + SECRET + ";", " password=" + SECRET)) {
      relays.add(relay("text").environment("POSTCOMMIT_KAFKA_CONFIG", SASL + JAAS + login).start());
    }
    for (ChildProcess relay : relays) {
      await().atMost(PATIENCE).until(() -> relay.output().contains("broker unavailable"));
      relay.terminate();
      assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
      assertThat(relay.output()).doesNotContain(SECRET);
    }
  }
}
