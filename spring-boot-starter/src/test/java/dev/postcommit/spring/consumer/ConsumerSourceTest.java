package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.consumer.KafkaConsumerConfiguration.KafkaReading;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Where an application's consumer reads, as far as that shows without a broker. */
class ConsumerSourceTest {
  private final ApplicationContextRunner application =
      Contexts.withoutDatabase()
          .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
          .withBean(
              PlatformTransactionManager.class,
              () -> new JdbcTransactionManager(Contexts.nowhere()))
          .withBean(Fine.class)
          .withPropertyValues(
              "spring.application.name=stock",
              "postcommit.relay.enabled=false",
              "postcommit.consumer.topics[0]=orders",
              "postcommit.consumer.topics[1]=payments");

  /** A handler. */
  static class Fine {
    @EventHandler("order.placed")
    void on(String order) {}
  }

  @Test
  void kafkaIsReachedAndReadAsByTheApplicationsOwnConsumers() {
    application
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=localhost:1",
            "spring.kafka.consumer.bootstrap-servers=localhost:2",
            "spring.kafka.security.protocol=PLAINTEXT",
            "spring.kafka.consumer.group-id=other",
            "spring.kafka.consumer.auto-offset-reset=latest",
            "spring.kafka.consumer.isolation-level=read-committed",
            "spring.kafka.consumer.enable-auto-commit=true")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(KafkaReading.class).properties())
                  .containsEntry(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, List.of("localhost:2"))
                  .containsEntry("security.protocol", "PLAINTEXT")
                  .containsEntry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest")
                  .containsEntry(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
                  .doesNotContainKeys(
                      ConsumerConfig.GROUP_ID_CONFIG,
                      ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                      ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
            });
  }

  @Test
  void aServiceConnectionIsUsed() {
    application
        .withBean(KafkaConnectionDetails.class, () -> () -> List.of("localhost:3"))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(KafkaReading.class).properties())
                  .containsEntry(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, List.of("localhost:3"));
            });
  }

  @Test
  void aMissingModuleIsNamed() {
    application
        .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
        .withClassLoader(new FilteredClassLoader("dev.postcommit.consumer"))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("add the dependency dev.postcommit:postcommit-consumer"));
    application
        .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
        .withClassLoader(new FilteredClassLoader("dev.postcommit.kafka"))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("dev.postcommit:postcommit-kafka"));
  }

  /** A handler that needs objects. */
  static class OfObjects {
    record Order(int id) {}

    @EventHandler("order.paid")
    void on(Order order) {}
  }

  @Test
  void withoutJacksonAHandlerTakesTextAndNoObjects() {
    ApplicationContextRunner without =
        application
            .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
            .withClassLoader(new FilteredClassLoader("tools.jackson"));
    without.run(context -> assertThat(context).hasNotFailed());
    without
        .withBean(OfObjects.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("OfObjects.on")
                    .hasMessageContaining("there is no Jackson 3"));
  }
}
