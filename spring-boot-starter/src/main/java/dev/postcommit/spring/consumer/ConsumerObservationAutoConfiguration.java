package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.ConsumerListener;
import dev.postcommit.micrometer.ConsumerMetrics;
import dev.postcommit.opentelemetry.ConsumerTracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, metrics and traces of the consumer, as far as the application has them. */
@AutoConfiguration(
    after = ConsumerAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
    })
@ConditionalOnBean(ConsumerLifecycle.class)
public class ConsumerObservationAutoConfiguration {
  private static final String METRICS = "postcommitConsumerMetrics";

  /** The consumer in the application's health, under the name {@code postcommitConsumer}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
  static class WithHealth {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnEnabledHealthIndicator("postcommitConsumer")
    static class Indicator {
      @Bean
      @ConditionalOnMissingBean(name = "postcommitConsumerHealthIndicator")
      HealthIndicator postcommitConsumerHealthIndicator(
          ConsumerLifecycle consumer, ConsumerStatus status) {
        return new ConsumerHealth(consumer, status);
      }
    }
  }

  /**
   * The metrics of the consumer in the application's registry. Those of other consumers differ in
   * name.
   */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({ConsumerMetrics.class, MeterRegistry.class})
  @ConditionalOnBean(MeterRegistry.class)
  static class WithMetrics {
    @Bean
    @ConditionalOnMissingBean(name = METRICS)
    ConsumerMetrics postcommitConsumerMetrics(
        MeterRegistry registry, ConsumerGroup group, ConsumerLifecycle consumer) {
      ConsumerMetrics metrics = ConsumerMetrics.of(registry, group.name());
      metrics.watch(consumer::running);
      return metrics;
    }

    @Bean
    EventConsumerCustomizer postcommitConsumerMetricsCustomizer(
        @Qualifier(METRICS) ConsumerMetrics metrics) {
      return consumer -> consumer.listener(metrics);
    }
  }

  /** A span of each call of a handler, in the trace of the event's writer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({ConsumerTracing.class, OpenTelemetry.class})
  @ConditionalOnBean(OpenTelemetry.class)
  static class WithTracing {
    @Bean
    EventConsumerCustomizer postcommitConsumerTracing(
        OpenTelemetry telemetry, ConsumerBroker broker) {
      ConsumerListener tracing = ConsumerTracing.of(telemetry, broker.system());
      return consumer -> consumer.listener(tracing);
    }
  }
}
