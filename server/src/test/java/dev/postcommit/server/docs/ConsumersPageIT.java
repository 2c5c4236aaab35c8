package dev.postcommit.server.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.UnknownTypes;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.consumer.inbox.SpringTransactions;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.kafka.consumer.KafkaEventConsumer;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** What {@code docs/consumers.md} and the pages below it show, done. */
class ConsumersPageIT {
  private static final Path PAGE = Path.of("..", "docs", "consumers", "dead-letters.md");
  private static final String ID = "0197a1b2-0000-7000-8000-000000000001";
  private static final String TOPIC = "order.placed";

  private PostgresDatabase database;
  private DataSource dataSource;
  private final List<String> done = new ArrayList<>();

  /** The content of an event of the page. */
  record OrderPlaced(String product) {}

  /** A service whose effects are in the transaction it is given. */
  private static final class Rows {
    void reserve(Connection tx, OrderPlaced order) throws SQLException {
      try (var insert = tx.prepareStatement("INSERT INTO reservation VALUES (?)")) {
        insert.setString(1, order.product());
        insert.executeUpdate();
      }
    }

    void write(Connection tx, OrderPlaced order) throws SQLException {
      reserve(tx, order);
      if (!order.product().equals("cup")) {
        throw new IllegalArgumentException("no such product: " + order.product());
      }
    }
  }

  /** A service that finds its transaction by itself. */
  private record Repository(JdbcTemplate jdbc) {
    void reserve(OrderPlaced order) {
      jdbc.update("INSERT INTO reservation VALUES (?)", order.product());
    }
  }

  /** A service whose effects are in no transaction. */
  private final class Elsewhere {
    void confirm(String eventId, OrderPlaced order) {
      done.add(eventId + " " + order.product());
    }

    void write(String eventId) {
      done.add(eventId);
      if (done.size() == 1) {
        throw new IllegalStateException("not now");
      }
    }
  }

  /** Some other broker. */
  private final class Broker {
    void acknowledge(String messageId) {
      done.add("acknowledged " + messageId);
    }

    void send(String topic, Map<String, String> headers, byte[] body) {
      done.add("%s %s %d".formatted(topic, headers.get("dlt_original_topic"), body.length));
    }

    void deliverAgain(String messageId, Duration delay) {
      done.add("%s again after %s".formatted(messageId, delay));
    }
  }

  @BeforeEach
  void createTables() throws SQLException {
    database = PostgresServer.shared().createDatabase();
    dataSource = database.dataSource();
    InboxMigration.migrate(dataSource, TableName.of("processed_events"));
    new JdbcTemplate(dataSource).execute("CREATE TABLE reservation (product text)");
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  private List<String> reservations() {
    return new JdbcTemplate(dataSource)
        .queryForList("SELECT product FROM reservation", String.class);
  }

  private static Map<String, String> headers(String id) {
    return Map.of("event_id", id, "event_type", TOPIC);
  }

  private static byte[] body(String product) {
    return "{\"product\": \"%s\"}".formatted(product).getBytes(UTF_8);
  }

  private static ReceivedMessage message(String id, String product) {
    return new ReceivedMessage(TOPIC, "42", headers(id), body(product));
  }

  @Test
  void theConsumerOfThePageHasItsEffectOnce() {
    // Of its own, since the page's topic is the README's too.
    try (KafkaServer kafka = KafkaServer.start()) {
      kafka.createTopic(TOPIC, 2);
      consume(kafka.bootstrapServers());
    }
    assertThat(reservations()).containsExactly("tea", "cup");
  }

  private void consume(String bootstrapServers) {
    Rows stock = new Rows();
    try (KafkaPublisher publisher =
        KafkaPublisher.builder().bootstrapServers(bootstrapServers).build()) {
      for (String product : List.of("tea", "tea", "cup")) {
        String id = product.equals("tea") ? ID : UUID.randomUUID().toString();
        assertThat(
                publisher
                    .send(new Message(TOPIC, "42", headers(id), body(product)))
                    .toCompletableFuture()
                    .join())
            .isEqualTo(Delivery.DELIVERED);
      }
    }
    JdbcIdempotencyStore store =
        JdbcIdempotencyStore.builder(dataSource, "inventory-service").build();
    EventConsumer inventory =
        EventConsumer.builder("inventory-service")
            .inbox(Inbox.transactional(store))
            .on("order.placed", OrderPlaced.class, (tx, event) -> stock.reserve(tx, event.data()))
            .build();
    KafkaEventConsumer consumer =
        KafkaEventConsumer.builder(inventory)
            .bootstrapServers(bootstrapServers)
            .topics("order.placed")
            .build();
    consumer.start();
    try {
      await().atMost(Duration.ofSeconds(30)).until(() -> reservations().contains("cup"));
    } finally {
      consumer.close();
    }
  }

  @Test
  void theConsumerWithRedisHandlesAnEventOnce() {
    Elsewhere mail = new Elsewhere();
    try (RedisClient redisClient = RedisClient.create(RedisServer.shared().url())) {
      RedisIdempotencyStore store = RedisIdempotencyStore.builder(redisClient).build();
      EventConsumer notifications =
          EventConsumer.builder("notification-service")
              .inbox(Inbox.marking(store))
              .on(
                  "order.placed",
                  OrderPlaced.class,
                  event -> mail.confirm(event.id(), event.data()))
              .build();

      assertThat(notifications.handle(message(ID, "tea"))).isEqualTo(Outcome.Done.PROCESSED);
      assertThat(notifications.handle(message(ID, "tea"))).isEqualTo(Outcome.Done.DUPLICATE);
      store.close();
    }
    assertThat(done).containsExactly(ID + " tea");
  }

  @Test
  void theSingleMarkIsDeletedAfterAFailure() {
    try (RedisClient redisClient = RedisClient.create(RedisServer.shared().url());
        RedisIdempotencyStore store = RedisIdempotencyStore.builder(redisClient).build()) {
      Elsewhere notifications = new Elsewhere();
      assertThatThrownBy(() -> markFirst(store, notifications, ID)).hasMessage("not now");
      markFirst(store, notifications, ID);
      markFirst(store, notifications, ID);
    }
    assertThat(done).containsExactly(ID, ID);
  }

  private static void markFirst(
      RedisIdempotencyStore store, Elsewhere notifications, String eventId) {
    if (!store.checkAndMarkProcessed("compliance", eventId, Duration.ofDays(30))) {
      try {
        notifications.write(eventId);
      } catch (RuntimeException e) {
        store.delete("compliance", eventId);
        throw e;
      }
    }
  }

  @Test
  void declaredErrorsAreDeadLettered() {
    Rows invoices = new Rows();
    JdbcIdempotencyStore store =
        JdbcIdempotencyStore.builder(dataSource, "billing-service").build();
    EventConsumer billing =
        EventConsumer.builder("billing-service")
            .inbox(Inbox.transactional(store))
            .retryPolicy(new RetryPolicy(8, Duration.ofSeconds(1), Duration.ofMinutes(2)))
            .permanentError(IllegalArgumentException.class)
            .unknownTypes(UnknownTypes.DEAD_LETTER)
            .on("order.placed", OrderPlaced.class, (tx, event) -> invoices.write(tx, event.data()))
            .build();

    assertThat(billing.handle(message(ID, "tea")))
        .isInstanceOfSatisfying(
            Outcome.Dead.class,
            dead -> assertThat(dead.deadLetter().errorMessage()).isEqualTo("no such product: tea"));
    assertThat(reservations()).isEmpty();
  }

  @Test
  void springsTransactionsAreJoined() {
    PlatformTransactionManager transactionManager = new DataSourceTransactionManager(dataSource);
    Repository repository = new Repository(new JdbcTemplate(dataSource));
    JdbcIdempotencyStore store =
        JdbcIdempotencyStore.builder(dataSource, "inventory-service").build();
    Inbox inbox =
        Inbox.transactional(store, new SpringTransactions(transactionManager, dataSource));
    EventConsumer inventory =
        EventConsumer.builder("inventory-service")
            .inbox(inbox)
            .on("order.placed", OrderPlaced.class, event -> repository.reserve(event.data()))
            .build();

    assertThat(inventory.handle(message(ID, "tea"))).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(inventory.handle(message(ID, "tea"))).isEqualTo(Outcome.Done.DUPLICATE);
    assertThat(reservations()).containsExactly("tea");
  }

  @Test
  void anotherBrokerIsToldWhatBecameOfItsMessages() {
    EventConsumer inventory =
        EventConsumer.builder("inventory-service")
            .inbox(Inbox.none())
            .retryPolicy(new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofSeconds(1), 0))
            .on(
                "order.placed",
                OrderPlaced.class,
                event -> {
                  switch (event.data().product()) {
                    case "tea" -> done.add("tea");
                    case "cup" -> throw new IOException("not now");
                    default -> throw new PermanentFailureException("no such product");
                  }
                })
            .build();
    for (String product : List.of("tea", "cup", "fog")) {
      give(inventory, new Broker(), product, "42", headers(product), body(product));
    }
    assertThat(done)
        .containsExactly(
            "tea", "acknowledged tea", "cup again after PT1S", done.get(3), "acknowledged fog");
    assertThat(done.get(3)).startsWith("orders.dlt orders ");
  }

  private static void give(
      EventConsumer inventory,
      Broker broker,
      String messageId,
      String key,
      Map<String, String> headers,
      byte[] body) {
    Outcome outcome = inventory.handle(new ReceivedMessage("orders", key, headers, body));
    if (outcome instanceof Outcome.Done) {
      broker.acknowledge(messageId);
    } else if (outcome instanceof Outcome.Dead dead) {
      broker.send(dead.deadLetter().topic(), dead.deadLetter().headers(), dead.deadLetter().body());
      broker.acknowledge(messageId);
    } else if (outcome instanceof Outcome.Retry retry) {
      broker.deliverAgain(messageId, retry.delay());
    }
  }

  @Test
  void theLetterOfThePageIsTheOneThatIsSent() throws IOException {
    DeadLetter letter =
        new DeadLetter(
            ID,
            TOPIC,
            new ReceivedMessage(
                TOPIC, "42", headers(ID), "{\"total\": 10.00}".getBytes(UTF_8), Map.of()),
            "no such product",
            PermanentFailureException.class.getName(),
            1,
            Instant.parse("2026-03-04T05:06:07Z"),
            "inventory-service");
    Matcher shown =
        Pattern.compile("<!-- body: letter -->\\n```json\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));

    assertThat(shown.find()).isTrue();
    assertThat(new String(letter.body(), UTF_8).replaceAll("\\s+", ""))
        .isEqualTo(shown.group(1).replaceAll("\\s+", ""));
  }
}
