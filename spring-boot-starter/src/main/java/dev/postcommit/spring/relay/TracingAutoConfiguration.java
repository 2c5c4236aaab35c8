package dev.postcommit.spring.relay;

import dev.postcommit.layout.Layout;
import dev.postcommit.opentelemetry.RelayTracing;
import dev.postcommit.opentelemetry.TracingOutbox;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.spring.OutboxAutoConfiguration.OutboxWrapper;
import dev.postcommit.spring.OutboxDataSource;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Continues the trace of an event's writer to its consumers, if the application traces. */
@AutoConfiguration(
    after = RelayAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
    })
@ConditionalOnClass({RelayTracing.class, OpenTelemetry.class})
@ConditionalOnBean({OutboxDataSource.class, OpenTelemetry.class})
public class TracingAutoConfiguration {

  /** The names of brokers in OpenTelemetry's conventions, by publisher class. */
  private static final Map<String, String> SYSTEMS =
      Map.of("KafkaPublisher", "kafka", "PubSubPublisher", "gcp_pubsub");

  @Bean
  OutboxWrapper postcommitTracingOutbox(OpenTelemetry telemetry, Layout layout) {
    return outbox -> TracingOutbox.of(outbox, layout, telemetry);
  }

  @Bean
  RelayListener postcommitRelayTracing(
      OpenTelemetry telemetry, ObjectProvider<Publisher> publishers) {
    @Nullable Publisher publisher = publishers.getIfUnique();
    @Nullable String system =
        publisher == null ? null : SYSTEMS.get(publisher.getClass().getSimpleName());
    return RelayTracing.of(telemetry, system);
  }
}
