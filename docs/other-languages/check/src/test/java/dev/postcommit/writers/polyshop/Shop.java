package dev.postcommit.writers.polyshop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.envelope.EnvelopeReader;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Message;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Servers, databases and topics for PolyShop's services in other languages, and the others' part.
 */
final class Shop implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(90);

  static final String USER_CREATED = "auth.user.created.v1";
  static final String ORDER_PLACED = "order.order.placed.v1";
  static final String ORDER_CANCELLED = "order.order.cancelled.v1";
  static final String STOCK_RESERVED = "inventory.stock.reserved.v1";
  static final String PAYMENT_SUCCEEDED = "payment.payment.succeeded.v1";
  static final String PAYMENT_FAILED = "payment.payment.failed.v1";
  static final String EMAIL_SENT = "notification.email.sent.v1";

  /** Enough for all events but those that are meant to be too large. */
  private static final String LIMIT = "5000";

  private static final List<String> TOPICS =
      List.of(
          USER_CREATED,
          ORDER_PLACED,
          ORDER_CANCELLED,
          STOCK_RESERVED,
          PAYMENT_SUCCEEDED,
          PAYMENT_FAILED,
          EMAIL_SENT);

  private final PostgresServer postgres = PostgresServer.start();
  private final KafkaServer kafka = KafkaServer.start();
  private final Processes processes = Processes.create();
  private final Map<String, PostgresDatabase> databases = new LinkedHashMap<>();
  private final Map<String, ChildProcess> services = new LinkedHashMap<>();
  private final KafkaProducer<String, byte[]> producer;
  private final List<Future<RecordMetadata>> sent = new ArrayList<>();

  Shop() {
    TOPICS.forEach(topic -> kafka.createTopic(topic, 3, Map.of("max.message.bytes", LIMIT)));
    producer =
        new KafkaProducer<>(
            // One message each: a batch could be larger than the topics take.
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "batch.size", 0),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  PostgresServer postgres() {
    return postgres;
  }

  KafkaServer kafka() {
    return kafka;
  }

  /** How Postcommit sees the outbox of a service. */
  OutboxAdmin admin(String service) {
    return OutboxAdmin.of(databases.get(service).dataSource(), Layout.preset("polyshop"));
  }

  /** Makes a service's database, with the tables that migrations make. */
  void migrate(String service) {
    PostgresDatabase database = postgres.createDatabase();
    OutboxMigration.migrate(database.dataSource(), Layout.preset("polyshop"));
    InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
    databases.put(service, database);
  }

  /** Starts a service and returns when it consumes. */
  void start(String service, String program, String script) {
    ChildProcess process =
        processes.start(
            Path.of("../../../examples/polyshop"),
            Map.of(
                "DATABASE_URL",
                "postgresql://%s@127.0.0.1:%d/%s"
                    .formatted(postgres.username(), postgres.port(), databases.get(service).name()),
                "KAFKA_BOOTSTRAP_SERVERS",
                kafka.bootstrapServers(),
                "SERVICE_NAME",
                service),
            program,
            script);
    services.put(service, process);
    await()
        .atMost(PATIENCE)
        .failFast(
            () ->
                assertThat(process.alive())
                    .as(() -> service + " ended: " + process.output())
                    .isTrue())
        .until(() -> process.output().contains(service + " ready"));
  }

  ChildProcess service(String service) {
    return services.get(service);
  }

  /** Sends an envelope as the services in Java do. */
  void publish(String topic, String key, UUID eventId, UUID traceId, String data) {
    publish(
        topic,
        key,
        """
        {"eventId":"%s","timestamp":"2026-03-04T05:06:07.123456Z","eventType":"%s","version":1,\
        "source":"a-java-service","data":%s,"metadata":{"traceId":"%s","correlationId":"c-%s"}}"""
            .formatted(eventId, topic, data, traceId, traceId));
  }

  void publish(String topic, String key, String body) {
    sent.add(producer.send(new ProducerRecord<>(topic, key, body.getBytes(UTF_8))));
  }

  /** The messages of a topic with a key, of which there are at least {@code count}. */
  List<Message> messages(String topic, String key, int count) {
    List<Message> found = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              found.clear();
              KafkaReader.read(kafka.bootstrapServers(), topic, 0).stream()
                  .filter(message -> key.equals(message.key()))
                  .forEach(found::add);
              return found.size() >= count;
            });
    return found;
  }

  /** All messages of a topic. */
  List<Message> messages(String topic) {
    return KafkaReader.read(kafka.bootstrapServers(), topic, 0);
  }

  /** What a consumer in Java makes of a message. */
  static ReceivedEvent<byte[]> read(Message message) {
    return EnvelopeReader.built()
        .read(
            new ReceivedMessage(message.topic(), message.key(), message.headers(), message.body()));
  }

  /** The rows of a query with one column, as text. */
  List<String> rows(String service, String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = databases.get(service).dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return rows;
  }

  void execute(String service, String sql) throws SQLException {
    try (Connection connection = databases.get(service).dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  void awaitRows(String service, int count, String query) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> rows(service, query).size() >= count);
  }

  /** What was published has arrived. */
  void checkPublished() throws Exception {
    for (Future<RecordMetadata> each : sent) {
      each.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void close() {
    producer.flush();
    producer.close();
    services.values().forEach(service -> System.out.println(service.output()));
    processes.close();
    kafka.close();
    postgres.close();
  }
}
