package dev.postcommit.spring.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.micrometer.RelayMetrics;
import dev.postcommit.relay.Publisher;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.OutboxDataSource;
import dev.postcommit.spring.SpringOutbox;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** R9: what an application gets depends on what it has. */
class AutoConfigurationTest {
  private final ApplicationContextRunner runner = Contexts.withoutDatabase();

  @Test
  void anApplicationWithoutDataSourceIsLeftAlone() {
    Contexts.plain().run(context -> assertThat(context).doesNotHaveBean(SpringOutbox.class));
  }

  @Test
  void withoutPublisherThereIsAnOutboxAndNoRelay() {
    runner.run(
        context ->
            assertThat(context)
                .hasSingleBean(SpringOutbox.class)
                .doesNotHaveBean(Publisher.class)
                .doesNotHaveBean(RelayLifecycle.class)
                .doesNotHaveBean(HealthIndicator.class));
  }

  @Test
  void aPublisherBringsARelayUnlessThatIsOff() {
    ApplicationContextRunner published = runner.withUserConfiguration(Contexts.Published.class);
    published.run(
        context -> {
          assertThat(context)
              .hasSingleBean(RelayLifecycle.class)
              .hasBean("postcommitHealthIndicator");
          assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue();
        });
    published
        .withPropertyValues("postcommit.relay.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(RelayLifecycle.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postcommit.relay.enabled=true",
        "postcommit.broker=kafka",
        "postcommit.broker=pubsub",
        "postcommit.kafka.transactional-id=orders",
      })
  void aRelayThatIsAskedForNeedsAPublisher(String setting) {
    runner
        .withPropertyValues(setting)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("there is no publisher")
                    .hasMessageContaining("postcommit-kafka"));
  }

  @Test
  void anAddressOfKafkaWithoutItsModuleIsNotJustIgnored() {
    runner
        .withClassLoader(new FilteredClassLoader(KafkaPublisher.class))
        .withPropertyValues("postcommit.kafka.bootstrap-servers=localhost:1")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("there is no publisher"));
  }

  /** Each of the optional modules may be missing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.postcommit.kafka",
        "dev.postcommit.pubsub",
        "dev.postcommit.flyway",
        "dev.postcommit.micrometer",
        "dev.postcommit.opentelemetry",
        "dev.postcommit.jackson",
        "dev.postcommit.registry",
        "dev.postcommit.cloudevents",
        "org.springframework.boot.health",
        "org.springframework.boot.kafka",
        "org.springframework.kafka",
        "org.springframework.orm",
        "org.springframework.test",
        "org.assertj",
        "org.flywaydb",
        "org.apache.kafka",
        "com.google",
        "io.micrometer",
        "io.opentelemetry",
        "jakarta.persistence",
        "tools.jackson",
      })
  void nothingOptionalIsNeeded(String missing) {
    runner
        .withClassLoader(new FilteredClassLoader(missing + "."))
        .withUserConfiguration(Contexts.Published.class)
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(SpringOutbox.class)
                    .hasSingleBean(RelayLifecycle.class));
  }

  @Test
  void ofSeveralDataSourcesOneIsToBeNamed() {
    ApplicationContextRunner two = runner.withBean("reports", DataSource.class, Contexts::nowhere);
    two.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("several data sources (dataSource, reports)")
                .hasMessageContaining("set postcommit.data-source"));
    two.withPropertyValues("postcommit.data-source=reports")
        .run(
            context ->
                assertThat(context.getBean(OutboxDataSource.class).dataSource())
                    .isSameAs(context.getBean("reports")));
    runner
        .withBean("orders", DataSource.class, Contexts::nowhere, bean -> bean.setPrimary(true))
        .run(
            context ->
                assertThat(context.getBean(OutboxDataSource.class).dataSource())
                    .isSameAs(context.getBean("orders")));
  }

  @Test
  @DisplayName("R15: a migration without its module is refused, and says which to add")
  void aMigrationNeedsItsModule() {
    runner
        .withClassLoader(new FilteredClassLoader("dev.postcommit.flyway."))
        .withPropertyValues("postcommit.migrate=true")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("dev.postcommit:postcommit-flyway"));
  }

  @Test
  void aRegistryAndOpenTelemetryAreUsedIfTheyAreThere() {
    runner
        .withUserConfiguration(Contexts.Published.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withBean(OpenTelemetry.class, OpenTelemetry::noop)
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(RelayMetrics.class)
                    .hasSingleBean(TableMetricsLifecycle.class)
                    .hasBean("postcommitTracingOutbox")
                    .hasBean("postcommitRelayTracing"));
  }

  @Test
  void healthCanBeSwitchedOff() {
    runner
        .withUserConfiguration(Contexts.Published.class)
        .withPropertyValues("management.health.postcommit.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("postcommitHealthIndicator"));
  }
}
