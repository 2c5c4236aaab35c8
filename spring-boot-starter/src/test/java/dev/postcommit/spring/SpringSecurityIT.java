package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.tls.CertificateAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The recipe of {@code docs/security.md} for Spring Boot, and what is said if it is not followed.
 */
class SpringSecurityIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PASSWORD = "correct-horse";

  @TempDir private static Path directory;
  @TempDir private static Path secrets;

  private static KafkaServer kafka;

  @BeforeAll
  static void start() throws IOException {
    CertificateAuthority authority = CertificateAuthority.create("Test CA");
    authority.writeTo(directory.resolve("ca.crt"));
    CertificateAuthority.create("Other CA").writeTo(directory.resolve("other-ca.crt"));
    authority.issue("server", "127.0.0.1").writeTo(directory, "server");
    Files.writeString(secrets.resolve("kafka-password"), PASSWORD + "\n");
    kafka =
        KafkaServer.builder()
            .listener(
                "SECURE",
                "SASL_SSL",
                Map.of(
                    "ssl.keystore.type",
                    "PEM",
                    "ssl.keystore.location",
                    directory.resolve("server.pem").toString(),
                    "sasl.enabled.mechanisms",
                    "SCRAM-SHA-512",
                    "scram-sha-512.sasl.jaas.config",
                    "org.apache.kafka.common.security.scram.ScramLoginModule required;"))
            .start();
    kafka.addUser("relay", PASSWORD);
  }

  @AfterAll
  static void close() {
    kafka.close();
  }

  private static String[] recipe() throws IOException {
    Matcher recipe =
        Pattern.compile("<!-- recipe: spring -->\\n```properties\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("..", "docs", "security.md")));
    assertThat(recipe.find()).isTrue();
    return recipe
        .group(1)
        .replace("kafka.example.com:9093", kafka.bootstrapServers("SECURE"))
        .replace("/etc/postcommit/", directory + "/")
        .replace("/run/secrets/", secrets + "/")
        .split("\n");
  }

  private static ApplicationContextRunner application(String... more) throws IOException {
    return Contexts.withoutDatabase()
        .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
        .withInitializer(new ConfigDataApplicationContextInitializer())
        .withPropertyValues(recipe())
        .withPropertyValues("postcommit.relay.enabled=false")
        .withPropertyValues(more);
  }

  @Test
  void theRecipeReachesTheBroker() throws IOException {
    application()
        .run(
            context -> {
              KafkaPublisher publisher = context.getBean(KafkaPublisher.class);
              await()
                  .atMost(PATIENCE)
                  .untilAsserted(() -> assertThat(publisher.problem()).isEmpty());
            });
  }

  @Test
  void anAuthorityThatIsNotTrustedIsNamed() throws IOException {
    application("spring.kafka.ssl.trust-store-location=file:" + directory.resolve("other-ca.crt"))
        .run(
            context -> {
              KafkaPublisher publisher = context.getBean(KafkaPublisher.class);
              await()
                  .atMost(PATIENCE)
                  .untilAsserted(
                      () ->
                          assertThat(publisher.problem().orElse(""))
                              .contains("signed by an authority that is not trusted"));
            });
  }
}
