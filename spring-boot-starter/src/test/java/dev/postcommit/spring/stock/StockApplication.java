package dev.postcommit.spring.stock;

import dev.postcommit.RetryPolicy;
import dev.postcommit.spring.EnablePostcommit;
import dev.postcommit.spring.consumer.EventConsumerCustomizer;
import java.time.Duration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** An application with the event handlers of {@code docs/spring.md}. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnablePostcommit
@Import({StockHandlers.class, StockRepository.class})
class StockApplication {
  @Bean
  EventConsumerCustomizer retries() {
    return consumer ->
        consumer
            .retryPolicy(new RetryPolicy(8, Duration.ofSeconds(1), Duration.ofMinutes(2)))
            .permanentError(IllegalArgumentException.class);
  }
}
