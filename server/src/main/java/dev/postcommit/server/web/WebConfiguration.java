package dev.postcommit.server.web;

import dev.postcommit.server.Relays;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** What Spring Boot is to serve. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WebConfiguration {

  @Bean
  RelayHealth relaysHealthIndicator(Relays relays) {
    return new RelayHealth(relays);
  }
}
