package dev.postcommit.examples.polyshop.common;

import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a service needs to emit events. Its tables are those of the layout polyshop. */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class OutboxConfiguration {

  @Bean
  DomainEventFactory domainEventFactory() {
    return new DomainEventFactory();
  }

  @Bean
  EventEnvelopeBuilder eventEnvelopeBuilder(@Value("${spring.application.name}") String service) {
    return new EventEnvelopeBuilder(service);
  }

  @Bean
  OutboxPublisher outboxPublisher(
      DataSource dataSource,
      EventEnvelopeBuilder envelope,
      @Value("${polyshop.kafka.bootstrap-servers}") String bootstrapServers) {
    return new OutboxPublisher(dataSource, envelope, bootstrapServers);
  }

  @Bean
  TraceFilter traceFilter() {
    return new TraceFilter();
  }
}
