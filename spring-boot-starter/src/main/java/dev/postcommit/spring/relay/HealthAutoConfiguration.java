package dev.postcommit.spring.relay;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The relay in the application's health, under the name {@code postcommit}. */
@AutoConfiguration(after = RelayAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnBean(RelayLifecycle.class)
public class HealthAutoConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnEnabledHealthIndicator("postcommit")
  static class Indicator {
    @Bean
    @ConditionalOnMissingBean(name = "postcommitHealthIndicator")
    HealthIndicator postcommitHealthIndicator(RelayLifecycle relay) {
      return new RelayHealth(relay);
    }
  }
}
