package dev.postcommit.spring.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.relay.TransactionalPublisher;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.relay.KafkaPublisherAutoConfiguration.KafkaConnection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Which broker events go to, and how it is reached. */
class BrokersTest {
  private final ApplicationContextRunner runner = Contexts.withoutDatabase();
  private final ApplicationContextRunner springKafka =
      runner.withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class));

  @Test
  void kafkaIsReachedByItsPlainPropertyWithoutSpringKafka() {
    runner
        .withClassLoader(
            new FilteredClassLoader(
                "org.springframework.kafka.", "org.springframework.boot.kafka."))
        .withPropertyValues(
            "spring.kafka.bootstrap-servers[0]=localhost:1",
            "spring.kafka.bootstrap-servers[1]=localhost:2",
            "postcommit.relay.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(KafkaPublisher.class)
                    .doesNotHaveBean(KafkaConnection.class));
  }

  @Test
  void kafkaIsReachedAsSpringReachesIt() {
    springKafka
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=localhost:1,localhost:2",
            "spring.kafka.security.protocol=SASL_PLAINTEXT",
            "spring.kafka.properties.sasl.mechanism=PLAIN",
            "spring.kafka.properties.sasl.jaas.config=secret",
            "spring.kafka.client-id=orders",
            "spring.kafka.producer.acks=1",
            "spring.kafka.producer.retries=0",
            "spring.kafka.producer.properties.linger.ms=100",
            "postcommit.relay.enabled=false")
        .run(
            context -> {
              assertThat(context).hasSingleBean(KafkaPublisher.class);
              assertThat(context.getBean(KafkaConnection.class).properties())
                  .containsEntry("bootstrap.servers", List.of("localhost:1", "localhost:2"))
                  .containsEntry("security.protocol", "SASL_PLAINTEXT")
                  .containsEntry("sasl.mechanism", "PLAIN")
                  .containsEntry("sasl.jaas.config", "secret")
                  .doesNotContainKeys(
                      "acks", "retries", "linger.ms", "key.serializer", "client.id");
            });
  }

  @Test
  void aServiceConnectionIsAnAddressOfKafkaAndTheDefaultIsNone() {
    springKafka.run(context -> assertThat(context).doesNotHaveBean(KafkaPublisher.class));
    springKafka
        .withBean("container", KafkaConnectionDetails.class, () -> () -> List.of("container:9092"))
        .run(
            context ->
                assertThat(context.getBean(KafkaConnection.class).properties())
                    .containsEntry("bootstrap.servers", List.of("container:9092")));
  }

  @Test
  void whatBreaksThePublishersPromisesIsRefused() {
    runner
        .withPropertyValues(
            "postcommit.kafka.bootstrap-servers=localhost:1", "postcommit.kafka.config.acks=1")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("acks must be all, not 1"));
  }

  @Test
  void aTransactionalIdBringsAPublisherWithTransactions() {
    ApplicationContextRunner once =
        runner.withPropertyValues(
            "postcommit.kafka.bootstrap-servers=localhost:1",
            "postcommit.kafka.transactional-id=orders");
    once.withPropertyValues("postcommit.layout=log")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(TransactionalPublisher.class)
                    .hasSingleBean(RelayLifecycle.class)
                    .doesNotHaveBean(KafkaPublisher.class));
    once.run(context -> assertRefused(context, "'orders'", "the native layout has no checkpoint"));
    once.withPropertyValues("postcommit.layout=log", "postcommit.kafka.transactional-id= ")
        .run(context -> assertRefused(context, "postcommit.kafka.transactional-id is not set"));
    once.withPropertyValues("postcommit.kafka.config.transactional.id=mine")
        .run(context -> assertRefused(context, "set postcommit.kafka.transactional-id instead"));
  }

  @Test
  void aTransactionalIdIsRefusedWithAnyOtherPublisher() {
    runner
        .withPropertyValues(
            "postcommit.layout=log",
            "postcommit.broker=pubsub",
            "postcommit.pubsub.project=orders-1",
            "spring.cloud.gcp.pubsub.emulator-host=localhost:1",
            "postcommit.kafka.transactional-id=orders")
        .run(
            context ->
                assertRefused(
                    context, "'orders'", "(pubSubPublisher)", "set postcommit.broker=kafka"));
    runner
        .withBean(
            "own",
            TransactionalPublisher.class,
            () ->
                KafkaPublisher.builder().bootstrapServers("localhost:1").buildTransactional("own"))
        .withPropertyValues(
            "postcommit.layout=log",
            "postcommit.kafka.bootstrap-servers=localhost:1",
            "postcommit.kafka.transactional-id=orders")
        .run(
            context ->
                assertRefused(
                    context, "'orders'", "(own)", "leave postcommit.kafka.transactional-id out"));
  }

  private static void assertRefused(AssertableApplicationContext context, String... parts) {
    assertThat(context.getStartupFailure()).rootCause().message().contains(parts);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postcommit.pubsub.project=orders-1",
        "spring.cloud.gcp.pubsub.project-id=orders-1",
        "spring.cloud.gcp.project-id=orders-1",
      })
  void aProjectBringsPubSub(String project) {
    runner
        .withPropertyValues(project, "spring.cloud.gcp.pubsub.emulator-host=localhost:1")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(PubSubPublisher.class)
                    .hasSingleBean(RelayLifecycle.class));
  }

  @Test
  void ofTwoBrokersOneIsToBeChosen() {
    ApplicationContextRunner both =
        runner.withPropertyValues(
            "spring.kafka.bootstrap-servers=localhost:1",
            "postcommit.pubsub.project=orders-1",
            "spring.cloud.gcp.pubsub.emulator-host=localhost:1");
    both.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("several publishers (pubSubPublisher, kafkaPublisher)")
                .hasMessageContaining("set postcommit.broker to kafka or pubsub"));
    both.withPropertyValues("postcommit.kafka.transactional-id=orders", "postcommit.layout=log")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("(pubSubPublisher, kafkaTransactionalPublisher)"));
    both.withPropertyValues("postcommit.broker=pubsub")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(PubSubPublisher.class)
                    .doesNotHaveBean(KafkaPublisher.class));
    both.withPropertyValues("postcommit.broker=kafka", "postcommit.relay.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(KafkaPublisher.class)
                    .doesNotHaveBean(PubSubPublisher.class));
  }
}
