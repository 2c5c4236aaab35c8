package dev.postcommit.spring.stock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The application of {@code docs/spring.md}, with the properties that it names. */
class StockHandlersIT {
  private static final KafkaServer KAFKA = KafkaServer.shared();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thePropertiesOfThePageAreEnough(boolean lazily) {
    String topic = "topic-" + UUID.randomUUID();
    KAFKA.createTopic(topic, 1);
    KAFKA.createTopic(topic + ".dlt", 1);
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      JdbcTemplate observer = new JdbcTemplate(database.dataSource());
      observer.execute("CREATE TABLE reserved (item text, quantity int)");
      try (ConfigurableApplicationContext application = start(database, topic, lazily);
          KafkaPublisher publisher =
              KafkaPublisher.builder()
                  .properties(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
                  .build()) {
        assertThat(application.isRunning()).isTrue();
        send(publisher, topic, "{\"item\": \"chair\", \"quantity\": 0}");
        send(publisher, topic, "{\"item\": \"table\", \"quantity\": 4}");
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () -> observer.queryForList("SELECT item FROM reserved", String.class).size() == 1);
        assertThat(observer.queryForObject("SELECT item FROM reserved", String.class))
            .isEqualTo("table");
        assertThat(KafkaReader.read(KAFKA.bootstrapServers(), topic + ".dlt", 1)).hasSize(1);
      }
    }
  }

  private static ConfigurableApplicationContext start(
      PostgresDatabase database, String topic, boolean lazily) {
    return new SpringApplicationBuilder(StockApplication.class)
        .web(WebApplicationType.NONE)
        .lazyInitialization(lazily)
        .properties(
            "spring.datasource.url=" + database.jdbcUrl(),
            "spring.datasource.username=" + database.username(),
            "spring.application.name=stock-" + topic,
            "spring.kafka.bootstrap-servers=" + KAFKA.bootstrapServers(),
            "postcommit.consumer.topics=" + topic,
            "postcommit.migrate=true")
        .run();
  }

  private static void send(KafkaPublisher publisher, String topic, String json) {
    Map<String, String> headers =
        Map.of("event_id", UUID.randomUUID().toString(), "event_type", "order.placed");
    publisher
        .send(new Message(topic, "1", headers, json.getBytes(UTF_8)))
        .toCompletableFuture()
        .join();
  }
}
