package dev.postcommit.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.kafka.consumer.KafkaEventConsumer;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A wrong setting of TLS or a login to Kafka is named, with what to set. */
abstract class WrongKafkaSecurity {
  private static final SecureServers SERVERS = SecureServers.shared();
  private static final String PASSWORD = SecureServers.PASSWORD;
  private static final OutboxFixture FIXTURE = new OutboxFixture();

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  private static String file(String name) {
    return SERVERS.directory().resolve(name).toString();
  }

  private static Map<String, String> kafka(String servers, String config) {
    Map<String, String> environment = new HashMap<>(FIXTURE.environment());
    environment.put("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", servers);
    environment.put("POSTCOMMIT_KAFKA_CONFIG", config);
    return environment;
  }

  private static String trusting(String authority) {
    return "security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.location="
        + file(authority);
  }

  private static String certified(String name) {
    return trusting("ca.crt")
        + "\nssl.keystore.type=PEM\nssl.keystore.location="
        + file(name + ".pem");
  }

  private static String login(String mechanism, String password) {
    String module = mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
    return trusting("ca.crt").replace("=SSL", "=SASL_SSL")
        + "\nsasl.mechanism="
        + mechanism
        + "\nsasl.jaas.config=org.apache.kafka.common.security.%s required username=\"relay\" password=\"%s\";"
            .formatted(module, password);
  }

  @Test
  void ofKafka() {
    KafkaServer kafka = SERVERS.kafka();
    FIXTURE.migrate();
    String tls = kafka.bootstrapServers("TLS");
    String mtls = kafka.bootstrapServers("MTLS");
    String sasl = kafka.bootstrapServers("SASL_TLS");
    List<WrongSetting> cases = new ArrayList<>();
    cases.add(
        new WrongSetting(
            "unknown authority",
            kafka(tls, trusting("other-ca.crt")),
            "the server's certificate is signed by an authority that is not trusted",
            "ssl.truststore.location"));
    cases.add(
        new WrongSetting(
            "missing file",
            kafka(tls, trusting("nowhere.crt")),
            file("nowhere.crt"),
            "ssl.truststore.location"));
    cases.add(
        new WrongSetting(
            "wrong host",
            kafka(kafka.bootstrapServers("ELSEWHERE"), trusting("ca.crt")),
            "the server's certificate is not for this host",
            "matching IP address 127.0.0.1",
            "bootstrap.servers"));
    cases.add(
        new WrongSetting(
            "expired",
            kafka(kafka.bootstrapServers("EXPIRED"), trusting("ca.crt")),
            "the server's certificate has expired (NotAfter: ",
            "give the broker a new one"));
    for (String name : List.of("stranger", "expired-relay")) {
      cases.add(
          new WrongSetting(
              "certificate of " + name,
              kafka(mtls, certified(name)),
              "the server asks for a client certificate, and got none or one that it does not"
                  + " accept",
              "ssl.keystore.location"));
    }
    cases.add(
        new WrongSetting(
            "no certificate",
            kafka(mtls, trusting("ca.crt")),
            "the server asks for a client certificate",
            "ssl.keystore.location"));
    for (String mechanism : List.of("PLAIN", "SCRAM-SHA-512")) {
      cases.add(
          new WrongSetting(
              "wrong password of " + mechanism,
              kafka(sasl, login(mechanism, "wrong")),
              "Authentication failed",
              "check username and password in sasl.jaas.config"));
    }
    cases.add(
        new WrongSetting(
            "wrong mechanism",
            kafka(sasl, login("SCRAM-SHA-256", PASSWORD)),
            "enabled mechanisms are [PLAIN, SCRAM-SHA-512]",
            "set sasl.mechanism to one of them"));
    cases.add(
        new WrongSetting(
            "login that nobody asks for",
            kafka(tls, login("PLAIN", PASSWORD)),
            "does not take logins",
            "security.protocol=SSL"));
    cases.add(
        new WrongSetting(
            "login without a name",
            kafka(sasl, trusting("ca.crt").replace("=SSL", "=SASL_SSL") + "\nsasl.mechanism=PLAIN"),
            "sasl.jaas.config is missing or cannot be read"));
    cases.add(
        new WrongSetting(
            "login that cannot be read",
            kafka(sasl, login("PLAIN", PASSWORD).replace(" required", "")),
            "sasl.jaas.config is missing or cannot be read",
            "required username="));
    cases.add(
        new WrongSetting(
            "no login where one is asked for",
            kafka(sasl, trusting("ca.crt")),
            sasl + " speaks TLS",
            "security.protocol=SASL_SSL"));
    cases.add(
        new WrongSetting(
            "no login in plain text",
            kafka(kafka.bootstrapServers("SASL"), "security.protocol=PLAINTEXT"),
            "security.protocol=SASL_PLAINTEXT"));
    cases.add(
        new WrongSetting(
            "plain text to TLS",
            kafka(tls, "security.protocol=PLAINTEXT"),
            tls + " speaks TLS",
            "set security.protocol=SSL"));
    cases.add(
        new WrongSetting(
            "TLS to plain text",
            kafka(kafka.bootstrapServers(), trusting("ca.crt")),
            kafka.bootstrapServers() + " does not speak TLS",
            "set security.protocol=PLAINTEXT"));
    cases.add(
        new WrongSetting(
            "a login in plain text to TLS",
            kafka(sasl, login("PLAIN", PASSWORD).replace("SASL_SSL", "SASL_PLAINTEXT")),
            sasl + " speaks TLS",
            "set security.protocol=SASL_SSL"));
    cases.add(
        new WrongSetting(
            "nobody there",
            kafka("127.0.0.1:1", "security.protocol=PLAINTEXT"),
            "nothing listens at 127.0.0.1:1"));
    cases.add(
        new WrongSetting(
            "unknown host",
            kafka("no-such-host.invalid:9092,127.0.0.1:1", "security.protocol=PLAINTEXT"),
            "nothing listens at 127.0.0.1:1"));
    WrongSetting.assertAll(cases, false);
  }

  @Test
  void ofAConsumer() {
    Logger logger = (Logger) LoggerFactory.getLogger("dev.postcommit.kafka.consumer.PollLoop");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    EventConsumer handlers =
        EventConsumer.builder("night")
            .inbox(Inbox.none())
            .on("any", String.class, event -> {})
            .build();
    try (KafkaEventConsumer consumer =
        KafkaEventConsumer.builder(handlers)
            .bootstrapServers(SERVERS.kafka().bootstrapServers("TLS"))
            .properties(
                Map.of(
                    "security.protocol",
                    "SSL",
                    "ssl.truststore.type",
                    "PEM",
                    "ssl.truststore.location",
                    file("other-ca.crt")))
            .topics("any")
            .build()) {
      consumer.start();
      await().atMost(Duration.ofSeconds(60)).until(() -> consumer.problem().isPresent());
      assertThat(consumer.problem().orElseThrow())
          .contains("signed by an authority that is not trusted");
      assertThat(lines.list)
          .anyMatch(line -> line.getFormattedMessage().contains("; let ssl.truststore.location"));
    } finally {
      logger.detachAppender(lines);
    }
  }
}
