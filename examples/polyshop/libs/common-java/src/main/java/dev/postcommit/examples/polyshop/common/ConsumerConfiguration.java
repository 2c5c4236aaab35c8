package dev.postcommit.examples.polyshop.common;

import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.SpringTransactions;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

/** What a service needs to handle events: look-up, change and mark are one JPA transaction. */
@Configuration(proxyBeanMethods = false)
public class ConsumerConfiguration {

  @Bean
  EventSubscriber eventSubscriber(
      @Value("${spring.application.name}") String service,
      @Value("${polyshop.kafka.bootstrap-servers}") String bootstrapServers,
      DataSource dataSource,
      PlatformTransactionManager transactions,
      List<Subscriber> subscribers) {
    JdbcIdempotencyStore processedEvents =
        JdbcIdempotencyStore.builder(dataSource, service).build();
    Inbox inbox =
        Inbox.transactional(processedEvents, new SpringTransactions(transactions, dataSource));
    return new EventSubscriber(service, inbox, bootstrapServers, subscribers);
  }
}
