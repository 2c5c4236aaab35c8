package dev.postcommit.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Application events that are also events of the outbox. */
@AutoConfiguration
public class ApplicationEventsAutoConfiguration {

  @Bean
  ApplicationEventListener postcommitApplicationEvents(ObjectProvider<SpringOutbox> outboxes) {
    return new ApplicationEventListener(outboxes);
  }
}
