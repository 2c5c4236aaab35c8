package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Effects in a database, through everything that makes messages come again. */
class ConsumerEffectsIT {
  private static final int KEYS = 40;
  private static final int PARTITIONS = 4;

  private final ConsumedTopic topic = new ConsumedTopic(KafkaServer.shared(), PARTITIONS);
  private final String name = "inventory-" + UUID.randomUUID();
  private final AtomicInteger calls = new AtomicInteger();
  private int events;
  private PostgresDatabase database;

  @BeforeEach
  void createTables() throws SQLException {
    database = PostgresServer.shared().createDatabase();
    InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
    try (Connection connection = database.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE effect (seq bigserial PRIMARY KEY, key text NOT NULL, number int NOT NULL)");
    }
  }

  @AfterEach
  void close() {
    topic.close();
    database.close();
  }

  private EventConsumer consumer() {
    JdbcIdempotencyStore store = JdbcIdempotencyStore.builder(database.dataSource(), name).build();
    return EventConsumer.builder(name)
        .inbox(Inbox.transactional(store))
        .retryPolicy(new RetryPolicy(1_000, Duration.ofMillis(5), Duration.ofMillis(20)))
        .on("numbered", String.class, this::handle)
        .build();
  }

  private void handle(Connection tx, ReceivedEvent<String> event)
      throws SQLException, InterruptedException {
    calls.incrementAndGet();
    TimeUnit.MILLISECONDS.sleep(1);
    try (var insert = tx.prepareStatement("INSERT INTO effect (key, number) VALUES (?, ?)")) {
      insert.setString(1, event.key());
      insert.setInt(2, Integer.parseInt(event.data()));
      insert.executeUpdate();
    }
    if (ThreadLocalRandom.current().nextInt(50) == 0) {
      throw new IllegalStateException("not now");
    }
  }

  /** Sends the next event of each key twice, the second time right away or a little later. */
  private void sendNext() {
    int end = events + KEYS;
    for (; events < end; events++) {
      send(events);
      send(events % 3 == 0 ? events : Math.max(0, events - KEYS));
    }
    topic.flush();
  }

  private void sendAllAgain() {
    for (int i = 0; i < events; i++) {
      send(i);
    }
    topic.flush();
  }

  private void send(int number) {
    int key = number % KEYS;
    String id = new UUID(7, number).toString();
    topic.send(
        key % PARTITIONS,
        "key-" + key,
        Integer.toString(number),
        new RecordHeader("event_id", id.getBytes(UTF_8)),
        new RecordHeader("event_type", "numbered".getBytes(UTF_8)));
  }

  private Map<String, List<Integer>> effects() throws SQLException {
    Map<String, List<Integer>> effects = new HashMap<>();
    try (Connection connection = database.dataSource().getConnection();
        var query = connection.prepareStatement("SELECT key, number FROM effect ORDER BY seq");
        var rows = query.executeQuery()) {
      while (rows.next()) {
        effects.computeIfAbsent(rows.getString(1), key -> new ArrayList<>()).add(rows.getInt(2));
      }
    }
    return effects;
  }

  private boolean isAllCommitted(EventConsumer consumer) {
    long committed = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      committed += Math.max(0, topic.committed(consumer, partition));
    }
    return committed == 3L * events;
  }

  @Test
  @DisplayName(
      "R40, R43, R44: duplicates, failures, moves and abrupt ends; each effect once, in order")
  void everyEffectHappensOnceAndInOrder() throws Exception {
    EventConsumer consumer = consumer();
    KafkaEventConsumer.Builder builder =
        topic
            .consumer(consumer)
            .threads(3)
            .order(ConsumerOrder.KEY)
            .batchSize(20)
            .closeTimeout(Duration.ZERO)
            .property("heartbeat.interval.ms", 200);
    try (KafkaEventConsumer stays = builder.build()) {
      stays.start();
      ConsumedTopic.awaitWhileSending(this::sendNext, () -> calls.get() > 100);
      try (KafkaEventConsumer leaves = builder.build()) {
        leaves.start();
        ConsumedTopic.awaitWhileSending(this::sendNext, () -> leaves.pending() > 0);
        sendAllAgain();
        topic.throwOut(consumer);
        await().until(() -> stays.pending() > 0 || isAllCommitted(consumer));
      }
      await().atMost(Duration.ofSeconds(40)).until(() -> isAllCommitted(consumer));
    }
    Map<String, List<Integer>> effects = effects();
    assertThat(effects).hasSize(KEYS);
    assertThat(effects.values())
        .allSatisfy(
            numbers ->
                assertThat(numbers).hasSize(events / KEYS).doesNotHaveDuplicates().isSorted());
  }
}
