package dev.postcommit.server.http;

import dev.postcommit.micrometer.PrometheusScrape;
import dev.postcommit.server.relay.Relays;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Configures what Spring Boot serves. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = PrometheusMetricsExportAutoConfiguration.class)
class WebConfiguration {

  @Bean
  RelayHealth relaysHealthIndicator(Relays relays) {
    return new RelayHealth(relays);
  }

  @Bean
  RelayLiveness threadsHealthIndicator(Relays relays) {
    return new RelayLiveness(relays);
  }

  @Bean
  PrometheusEndpoint prometheusEndpoint(PrometheusMeterRegistry metrics) {
    return new PrometheusEndpoint(new PrometheusScrape(metrics));
  }
}
