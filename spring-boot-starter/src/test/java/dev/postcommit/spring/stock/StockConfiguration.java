package dev.postcommit.spring.stock;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.SpringTransactions;
import dev.postcommit.kafka.consumer.KafkaEventConsumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/** The consumer of {@code docs/spring.md}. */
@Configuration(proxyBeanMethods = false)
@Import(StockConfiguration.StockService.class)
public class StockConfiguration {

  /** The content of an order. */
  record Order(int total) {}

  /** What the consumer does. */
  static class StockService {
    private final JdbcClient jdbc;

    StockService(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    void reserve(Order order) {
      jdbc.sql("INSERT INTO reservation VALUES (?)").param(order.total()).update();
    }
  }

  @Bean(initMethod = "start")
  KafkaEventConsumer stockConsumer(
      PlatformTransactionManager manager,
      DataSource dataSource,
      StockService stock,
      @Value("${spring.kafka.bootstrap-servers}") String bootstrapServers) {
    JdbcIdempotencyStore store = JdbcIdempotencyStore.builder(dataSource, "stock").build();
    EventConsumer consumer =
        EventConsumer.builder("stock")
            .inbox(Inbox.transactional(store, new SpringTransactions(manager, dataSource)))
            .on("order.placed", Order.class, event -> stock.reserve(event.data()))
            .build();
    return KafkaEventConsumer.builder(consumer)
        .bootstrapServers(bootstrapServers)
        .topics("order.placed")
        .build();
  }
}
