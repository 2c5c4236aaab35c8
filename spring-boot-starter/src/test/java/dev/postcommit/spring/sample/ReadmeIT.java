package dev.postcommit.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Message;
import dev.postcommit.spring.sample.OrdersApplication.OrderService;
import dev.postcommit.spring.stock.StockConfiguration;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The Spring Boot application of the README, run together with the consumer of its page. */
class ReadmeIT {
  @Test
  @DisplayName("R1, R9: the README's application delivers what it commits to Kafka, and no more")
  void theApplicationOfTheReadmeDeliversWhatItCommits() {
    KafkaServer kafka = KafkaServer.shared();
    kafka.createTopic("order.placed", 1);
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
      jdbc.execute("CREATE TABLE orders (id text PRIMARY KEY, content jsonb)");
      jdbc.execute("CREATE TABLE reservation (total int)");
      InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
      try (ConfigurableApplicationContext application =
          new SpringApplicationBuilder(OrdersApplication.class, StockConfiguration.class)
              .run(
                  "--spring.config.location=classpath:orders.properties",
                  "--spring.datasource.url=" + database.jdbcUrl(),
                  "--spring.datasource.username=" + database.username(),
                  "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                  // What else is on the class path of the tests is not part of the sample.
                  "--spring.main.web-application-type=none",
                  "--spring.flyway.enabled=false")) {
        OrderService orders = application.getBean(OrderService.class);
        orders.place("42", "{\"total\": 100}");
        assertThatThrownBy(() -> orders.place("42", "{\"total\": 7}"))
            .isInstanceOf(DuplicateKeyException.class);
        orders.place("43", "{\"total\": 200}");

        List<Message> messages = KafkaReader.read(kafka.bootstrapServers(), "order.placed", 2);
        assertThat(messages)
            .extracting(message -> new String(message.body(), StandardCharsets.UTF_8))
            .containsExactlyInAnyOrder("{\"total\": 100}", "{\"total\": 200}");
        assertThat(messages).extracting(Message::key).containsExactlyInAnyOrder("42", "43");
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(
                () ->
                    assertThat(jdbc.queryForList("SELECT total FROM reservation", Integer.class))
                        .containsExactlyInAnyOrder(100, 200));
      }
    }
  }
}
