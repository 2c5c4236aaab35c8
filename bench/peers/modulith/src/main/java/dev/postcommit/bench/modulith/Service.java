package dev.postcommit.bench.modulith;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;

/** A service that publishes events, which go to Kafka after each commit. */
@SpringBootApplication(proxyBeanMethods = false)
class Service {

  @Bean
  EventExternalizationConfiguration externalized(@Value("${bench.topic}") String topic) {
    return EventExternalizationConfiguration.externalizing()
        .select(Placed.class::isInstance)
        .mapping(Placed.class, Placed::message)
        .route(Placed.class, event -> RoutingTarget.forTarget(topic).andKey(event.key()))
        .build();
  }
}
