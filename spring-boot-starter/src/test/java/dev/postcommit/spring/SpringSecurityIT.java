package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.spring.consumer.EventHandler;
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
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

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

  /** A handler, so that there is a consumer. */
  static class Idle {
    @EventHandler("order.placed")
    void on(String order) {}
  }

  private static ApplicationContextRunner consuming(String... more) throws IOException {
    return application(more)
        .withBean(Idle.class)
        .withBean(
            PlatformTransactionManager.class, () -> new JdbcTransactionManager(Contexts.nowhere()))
        // The class path of the tests also has the configuration of the server.
        .withPropertyValues("management.health.defaults.enabled=true")
        .withPropertyValues("spring.application.name=stock", "postcommit.consumer.topics=orders");
  }

  private static Map<String, Object> consumerHealth(ApplicationContext context) {
    return context
        .getBean("postcommitConsumerHealthIndicator", HealthIndicator.class)
        .health()
        .getDetails();
  }

  @Test
  void theRecipeReachesTheBrokerForConsumersToo() throws IOException {
    kafka.createTopic("orders", 1);
    consuming()
        .run(
            context ->
                await()
                    .atMost(PATIENCE)
                    .untilAsserted(
                        () ->
                            assertThat(consumerHealth(context))
                                .containsEntry("lag", 0L)
                                .containsEntry("broker", "ok")));
    consuming("spring.kafka.ssl.trust-store-location=file:" + directory.resolve("other-ca.crt"))
        .run(
            context ->
                await()
                    .atMost(PATIENCE)
                    .untilAsserted(
                        () ->
                            assertThat(consumerHealth(context).get("broker"))
                                .asString()
                                .contains("signed by an authority that is not trusted")));
  }
}
