package dev.postcommit.examples.logistik;

import dev.postcommit.micrometer.PrometheusScrape;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The application; its settings are in {@code application.properties}. */
@SpringBootApplication
class LogistikApplication {

  /** A registry in which the four metrics have the very names that Logistik gave them. */
  @Bean
  PrometheusMeterRegistry registry() {
    return PrometheusScrape.newRegistry();
  }
}
