package dev.postcommit.spring.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.Orders;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application that consumes a topic of Kafka, with a database. */
abstract class ConsumerFixture {
  static final KafkaServer KAFKA = KafkaServer.shared();

  Orders orders;
  JdbcTemplate observer;
  String topic;
  private KafkaPublisher publisher;

  @BeforeEach
  void create() {
    orders = new Orders();
    observer = new JdbcTemplate(orders.database().dataSource());
    observer.execute("CREATE TABLE reservation (order_id int, total int NOT NULL)");
    InboxMigration.migrate(orders.database().dataSource(), TableName.of("processed_events"));
    topic = "topic-" + UUID.randomUUID();
    KAFKA.createTopic(topic, 1);
    KAFKA.createTopic(topic + ".dlt", 1);
    publisher =
        KafkaPublisher.builder()
            .properties(Map.of("bootstrap.servers", KAFKA.bootstrapServers()))
            .build();
  }

  @AfterEach
  void drop() {
    publisher.close();
    orders.close();
  }

  /** An application with Spring Boot's Kafka, whose consumer is named {@code stock}. */
  ApplicationContextRunner application() {
    return Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
        .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
        .withPropertyValues(
            "spring.application.name=stock-" + topic,
            "spring.kafka.bootstrap-servers=" + KAFKA.bootstrapServers(),
            "postcommit.route=fixed:" + topic,
            "postcommit.consumer.topics=" + topic);
  }

  /** Sends an event; returns its message. */
  Message send(String type, int id, String json) {
    Message message =
        new Message(
            topic,
            Integer.toString(id),
            Map.of("event_id", UUID.randomUUID().toString(), "event_type", type),
            json.getBytes(UTF_8));
    send(message);
    return message;
  }

  void send(Message message) {
    assertThat(publisher.send(message).toCompletableFuture().join()).isEqualTo(Delivery.DELIVERED);
  }

  List<Message> deadLetters(int count) {
    return KafkaReader.read(KAFKA.bootstrapServers(), topic + ".dlt", count);
  }

  int reservations(int id) {
    return count("SELECT count(*) FROM reservation WHERE order_id = " + id);
  }

  int marks() {
    return count("SELECT count(*) FROM processed_events");
  }

  int count(String query) {
    return observer.queryForObject(query, Integer.class);
  }

  static void awaitUntil(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(30)).until(condition);
  }
}
