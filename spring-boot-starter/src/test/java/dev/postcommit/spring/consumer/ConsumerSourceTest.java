package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.PayloadDeserializer;
import dev.postcommit.micrometer.ConsumerMetrics;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.consumer.KafkaConsumerConfiguration.KafkaReading;
import dev.postcommit.spring.settings.SetupException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** Where an application's consumer reads, as far as that shows without a broker. */
class ConsumerSourceTest {
  private final ApplicationContextRunner withoutFactories =
      Contexts.withoutDatabase()
          .withBean(
              PlatformTransactionManager.class,
              () -> new JdbcTransactionManager(Contexts.nowhere()))
          .withBean(Fine.class)
          .withPropertyValues(
              "spring.application.name=stock",
              "postcommit.relay.enabled=false",
              "postcommit.consumer.topics[0]=orders",
              "postcommit.consumer.topics[1]=payments");
  private final ApplicationContextRunner application =
      withoutFactories.withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class));

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
                    .hasMessageContaining("takes an object, and nothing reads objects"));
  }

  private static PayloadDeserializer reading() {
    return new PayloadDeserializer() {
      @Override
      public <T> T deserialize(byte[] payload, Class<T> type) {
        throw new UnsupportedOperationException();
      }
    };
  }

  @Test
  void whatReadsObjectsMustBeClearWhenAHandlerTakesOne() {
    ApplicationContextRunner mappers =
        application
            .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
            .withBean("ours", JsonMapper.class, JsonMapper::new)
            .withBean("theirs", JsonMapper.class, JsonMapper::new);
    ApplicationContextRunner deserializers =
        application
            .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
            .withBean("ours", PayloadDeserializer.class, ConsumerSourceTest::reading)
            .withBean("theirs", PayloadDeserializer.class, ConsumerSourceTest::reading);

    mappers.run(context -> assertThat(context).hasNotFailed());
    deserializers.run(context -> assertThat(context).hasNotFailed());
    refused(mappers.withBean(OfObjects.class), "several beans of type JsonMapper (ours, theirs)");
    refused(
        deserializers.withBean(OfObjects.class),
        "OfObjects.on",
        "several beans of type PayloadDeserializer (ours, theirs), and none is primary");
  }

  private static void refused(ApplicationContextRunner application, String... texts) {
    application.run(
        context ->
            assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(texts));
  }

  private static ConsumerFactory<?, ?> factory() {
    return new DefaultKafkaConsumerFactory<String, String>(
        Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:4"));
  }

  @Test
  void ofSeveralFactoriesOneMustBePrimary() {
    ApplicationContextRunner several =
        withoutFactories
            .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
            .withBean("text", ConsumerFactory.class, ConsumerSourceTest::factory)
            .withBean("json", ConsumerFactory.class, ConsumerSourceTest::factory);

    refused(several, "several beans of type ConsumerFactory", "postcommit.kafka.bootstrap-servers");
    several
        .withPropertyValues("postcommit.kafka.bootstrap-servers=localhost:2")
        .run(context -> assertThat(context).hasNotFailed());
    several
        .withBean(
            "usual",
            ConsumerFactory.class,
            ConsumerSourceTest::factory,
            bean -> bean.setPrimary(true))
        .run(
            context ->
                assertThat(context.getBean(KafkaReading.class).properties())
                    .containsEntry(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:4"));
  }

  @Test
  void withoutSpringKafkaTheConsumersOwnAddressIsReadToo() {
    application
        .withPropertyValues("spring.kafka.consumer.bootstrap-servers=localhost:2")
        .withClassLoader(new FilteredClassLoader("org.springframework.kafka"))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void theGroupIsNotSharedWithTheApplicationsListeners() {
    ApplicationContextRunner shared =
        application.withPropertyValues(
            "spring.kafka.bootstrap-servers=localhost:1", "spring.kafka.consumer.group-id=stock");

    refused(shared, "spring.kafka.consumer.group-id is stock too", "set postcommit.consumer.group");
    shared
        .withPropertyValues("postcommit.consumer.group=stock-events")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void aChildContextDoesNotConsumeASecondTime() {
    ApplicationContextRunner consuming =
        application.withPropertyValues("spring.kafka.bootstrap-servers=localhost:1");
    ApplicationContextRunner child =
        Contexts.plain()
            .withPropertyValues(
                "spring.application.name=stock",
                "spring.kafka.bootstrap-servers=localhost:1",
                "postcommit.relay.enabled=false",
                "postcommit.consumer.topics=orders");

    consuming.run(
        parent -> {
          child
              .withParent(parent)
              .run(
                  context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.containsLocalBean("postcommitConsumer")).isFalse();
                  });
          refused(
              child.withParent(parent).withBean("childs", Fine.class),
              "Fine.on of bean 'childs' is never called",
              "move the bean to the parent context");
        });
  }

  @Test
  void metricsOfAnotherConsumerDoNotReplaceItsOwn() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    application
        .withPropertyValues("spring.kafka.bootstrap-servers=localhost:1")
        .withBean(MeterRegistry.class, () -> registry)
        .withBean(
            "others", ConsumerMetrics.class, () -> ConsumerMetrics.of(registry, "another-consumer"))
        .run(
            context ->
                assertThat(context.getBeansOfType(ConsumerMetrics.class))
                    .containsOnlyKeys("others", "postcommitConsumerMetrics"));
  }

  @Test
  void aMissingDataSourceIsNamed() {
    ApplicationContextRunner without =
        Contexts.plain()
            .withBean(Fine.class)
            .withPropertyValues(
                "spring.application.name=stock",
                "spring.kafka.bootstrap-servers=localhost:1",
                "postcommit.consumer.topics=orders");

    refused(without, "there is no data source", "set spring.datasource.url");
    refused(without.withPropertyValues("postcommit.migrate=true"), "there is no data source");
  }
}
