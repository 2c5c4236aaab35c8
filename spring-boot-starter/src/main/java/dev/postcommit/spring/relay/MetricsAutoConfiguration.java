package dev.postcommit.spring.relay;

import dev.postcommit.micrometer.RelayMetrics;
import dev.postcommit.micrometer.TableMetrics;
import dev.postcommit.relay.Publisher;
import dev.postcommit.spring.relay.RelayAutoConfiguration.RelayLayout;
import dev.postcommit.store.OutboxAdmin;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The metrics of the relay in the application's registry. */
@AutoConfiguration(
    after = RelayAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({RelayMetrics.class, MeterRegistry.class})
@ConditionalOnBean({RelayLifecycle.class, MeterRegistry.class, Publisher.class})
public class MetricsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  RelayMetrics postcommitRelayMetrics(MeterRegistry registry, RelayLayout layout) {
    return RelayMetrics.of(registry, layout.layout());
  }

  @Bean
  TableMetricsLifecycle postcommitTableMetrics(
      MeterRegistry registry, RelayLayout layout, OutboxAdmin admin) {
    return new TableMetricsLifecycle(() -> TableMetrics.of(registry, layout.layout(), admin));
  }
}
