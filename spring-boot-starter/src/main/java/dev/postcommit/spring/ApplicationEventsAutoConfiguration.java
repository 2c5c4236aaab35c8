package dev.postcommit.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Application events that are also events of the outbox. */
@AutoConfiguration
public class ApplicationEventsAutoConfiguration {

  /** One for a hierarchy of contexts: a child's events reach the listeners of its parents too. */
  @Bean
  @ConditionalOnMissingBean
  ApplicationEventListener postcommitApplicationEvents(ObjectProvider<SpringOutbox> outboxes) {
    return new ApplicationEventListener(outboxes);
  }
}
