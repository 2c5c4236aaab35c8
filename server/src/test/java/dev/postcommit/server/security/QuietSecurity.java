package dev.postcommit.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A relay that Kafka refuses says so once, and Kafka's clients add nothing. */
abstract class QuietSecurity {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final SecureServers SERVERS = SecureServers.shared();

  /** Logged, for this test, on each attempt. */
  private static final String ATTEMPT = "Kafka is not reachable";

  private static final int ATTEMPTS = 4;
  private static final Pattern PROBLEM = Pattern.compile("\\S+ (?:WARN|ERROR) +(.*)");

  private final Processes processes = Processes.create();
  private final List<OutboxFixture> fixtures = new ArrayList<>();

  @AfterEach
  void close() {
    processes.close();
    fixtures.forEach(OutboxFixture::close);
  }

  private ChildProcess relay(String listener, String config) throws SQLException {
    OutboxFixture fixture = new OutboxFixture().migrate();
    fixtures.add(fixture);
    fixture.enqueue(Event.builder("order.placed").topic("quiet").json("{}"));
    Processes.Builder relay = processes.java(Main.class).arguments("relay");
    fixture.environment().forEach(relay::environment);
    return relay
        .environment("POSTCOMMIT_LOG_LEVEL", "info,dev.postcommit.kafka.Cluster=debug")
        .environment(
            "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", SERVERS.kafka().bootstrapServers(listener))
        .environment("POSTCOMMIT_KAFKA_CONFIG", config)
        .start();
  }

  private static String trusting(Path authority, String protocol) {
    return "security.protocol=%s\nssl.truststore.type=PEM\nssl.truststore.location=%s"
        .formatted(protocol, authority);
  }

  private static String login(String password) {
    return trusting(SERVERS.directory().resolve("ca.crt"), "SASL_SSL")
        + "\nsasl.mechanism=SCRAM-SHA-512\nsasl.jaas.config="
        + "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"night\""
        + " password=\"%s\";".formatted(password);
  }

  private static long count(ChildProcess relay, String text) {
    return relay.output().lines().filter(line -> line.contains(text)).count();
  }

  private static void awaitAttempts(ChildProcess relay) {
    await()
        .atMost(PATIENCE)
        .until(() -> count(relay, ATTEMPT) >= ATTEMPTS && count(relay, "broker unavailable") > 0);
  }

  /**
   * One line of the relay, whose events wait, and one of its readiness. A busy broker may be too
   * late at first, which is another reason, and said once as well.
   */
  private static void assertSaidOnce(ChildProcess relay, String reason) {
    List<String> said = PROBLEM.matcher(relay.output()).results().map(m -> m.group(1)).toList();
    assertThat(said)
        .doesNotHaveDuplicates()
        .allMatch(
            line -> line.startsWith("Availability - ") || line.startsWith("ReadinessProbe - "))
        .anyMatch(line -> line.contains("broker unavailable"))
        .anyMatch(line -> line.contains("not ready, the broker does not answer"))
        .anyMatch(line -> line.contains(reason));
  }

  @Test
  void aWrongSettingIsSaidOnce() throws SQLException {
    Path directory = SERVERS.directory();
    ChildProcess untrusting = relay("TLS", trusting(directory.resolve("other-ca.crt"), "SSL"));
    ChildProcess fileless = relay("TLS", trusting(directory.resolve("nowhere.crt"), "SSL"));
    awaitAttempts(untrusting);
    awaitAttempts(fileless);
    assertSaidOnce(untrusting, "an authority that is not trusted");
    assertSaidOnce(fileless, "nowhere.crt");
  }

  @Test
  void aLoginThatTheBrokerLearnsLaterIsSaidTwice() throws SQLException {
    SERVERS.kafka().createTopic("quiet", 1);
    ChildProcess relay = relay("SASL_TLS", login("later"));
    awaitAttempts(relay);
    assertSaidOnce(relay, "check username and password in sasl.jaas.config");

    SERVERS.kafka().addUser("night", "later");
    await().atMost(PATIENCE).until(() -> fixtures.get(0).admin().status().pending() == 0);
    await().atMost(PATIENCE).until(() -> count(relay, "the broker answers") == 1);
    assertThat(count(relay, "broker available again")).isEqualTo(1);
    assertSaidOnce(relay, "check username and password in sasl.jaas.config");
  }
}
