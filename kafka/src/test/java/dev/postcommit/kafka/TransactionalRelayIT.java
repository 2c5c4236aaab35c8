package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.TransactionalPublisher;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A relay that uses Kafka's transactions, and what goes wrong besides crashes. */
@SuppressWarnings("try") // a relay works without being spoken to
class TransactionalRelayIT {
  private static final int LARGE = 20_000;

  private final KafkaServer kafka = KafkaServer.shared();
  private final String topic = "topic-" + UUID.randomUUID();
  private final String id = "id-" + UUID.randomUUID();
  private final Outbox outbox = Outbox.builder(Layout.log()).build();
  private final Ledger ledger = Ledger.create();
  private PostgresDatabase database;
  private OutboxAdmin admin;
  private long position;

  @BeforeEach
  void create() {
    kafka.createTopic(topic, 2, Map.of("max.message.bytes", Integer.toString(LARGE)));
    database = PostgresServer.shared().createDatabase();
    OutboxMigration.migrate(database.dataSource(), Layout.log());
    admin = OutboxAdmin.of(database.dataSource(), Layout.log());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TransactionalPublisher publisher() {
    return KafkaPublisher.builder()
        .bootstrapServers(kafka.bootstrapServers())
        .property("max.block.ms", 2_000)
        .property("max.request.size", 100_000)
        .buildTransactional(id);
  }

  private Relay relay(TransactionalPublisher publisher) {
    return Relay.builder(database.dataSource(), publisher)
        .layout(Layout.log())
        .check(
            event ->
                event.type().equals("forbidden") ? Optional.of("is forbidden") : Optional.empty())
        .retryPolicy(new RetryPolicy(20, Duration.ofMillis(200), Duration.ofMillis(400), 0))
        .build();
  }

  private Event.Builder event(String key) {
    return event("allowed", key);
  }

  private Event.Builder event(String type, String key) {
    return Event.builder(type).topic(topic).key(key).json("{}");
  }

  private UUID write(Event.Builder event) throws SQLException {
    Event built = event.build();
    try (Connection tx = database.dataSource().getConnection()) {
      tx.setAutoCommit(false);
      outbox.enqueue(tx, built);
      tx.commit();
    }
    // Between two topics there is no order.
    boolean ordered = topic.equals(built.topic());
    ledger.committed(built.id().toString(), ordered ? built.key() : null, ++position);
    return built.id();
  }

  private void writeMany(int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      write(event("key-" + i % 7));
    }
  }

  private void awaitDelivered() {
    await().atMost(Duration.ofSeconds(30)).until(() -> admin.status().pending() == 0);
  }

  private void execute(String statementText) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(statementText);
    }
  }

  /** What is committed of the topic. */
  private LedgerReport report() {
    KafkaDeliveries deliveries = KafkaDeliveries.committed(kafka.bootstrapServers(), topic, ledger);
    deliveries.finish();
    deliveries.call();
    admin.deadIds(DeadFilter.all(), Integer.MAX_VALUE).forEach(ledger::dead);
    return ledger.report();
  }

  @Test
  @DisplayName(
      "what cannot be sent is dead or retried beside the log, and the others go on in order")
  void whatCannotBeSentLeavesTheLog() throws Exception {
    String missing = "missing-" + UUID.randomUUID();
    List<UUID> dead = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      writeMany(20);
      dead.add(write(event("forbidden", "key-1")));
      writeMany(5);
      dead.add(write(event("key-2").json("\"" + "x".repeat(LARGE + 5_000) + "\"")));
      dead.add(write(event("key-2").json("\"" + "x".repeat(150_000) + "\"")));
      writeMany(5);
      write(event("key-3").topic(missing));
      writeMany(20);
    }
    dead.add(write(event("forbidden", "key-4")));
    dead.forEach(event -> ledger.expectedDead(event.toString()));

    try (TransactionalPublisher publisher = publisher();
        Relay relay = relay(publisher)) {
      relay.start();
      await().atMost(Duration.ofSeconds(30)).until(() -> admin.status().dead() == dead.size());
      kafka.createTopic(missing, 1);
      awaitDelivered();
    }
    KafkaDeliveries others = KafkaDeliveries.committed(kafka.bootstrapServers(), missing, ledger);
    others.finish();
    others.call();
    LedgerReport report = report();
    assertThat(report.lost().none()).as("%s", report).isTrue();
    assertThat(report.duplicates()).as("%s", report).isZero();
    assertThat(report.dead()).as("%s", report).isEqualTo(dead.size());
    assertThat(report.unexpectedlyDead().none()).as("%s", report).isTrue();
    assertThat(report.unexpectedlyAlive().none()).as("%s", report).isTrue();
    assertThat(report.outOfOrder().none()).as("%s", report).isTrue();
    assertThat(others.messages()).isEqualTo(3);
  }

  @Test
  @DisplayName(
      "the next relay goes on at the checkpoint that Kafka has, though the table's is behind")
  void kafkasCheckpointCounts() throws Exception {
    writeMany(100);
    try (TransactionalPublisher publisher = publisher();
        Relay relay = relay(publisher)) {
      relay.start();
      awaitDelivered();
      execute("CREATE TABLE kept AS SELECT * FROM postcommit_log_cursor");
      writeMany(1);
      await().until(() -> admin.status().pending() == 0);
    }
    // As if it had not been written since: the mark alone shows that there was another checkpoint.
    execute(
        "UPDATE postcommit_log_cursor c SET floor = k.floor, seen = k.seen, upto = k.upto,"
            + " position = k.position FROM kept k");
    deliverMoreAndCheckDuplicates(0);
  }

  @Test
  @DisplayName("a database that was restored to an earlier time misses no event, and repeats some")
  void aRestoredDatabaseMissesNothing() throws Exception {
    writeMany(100);
    try (TransactionalPublisher publisher = publisher();
        Relay relay = relay(publisher)) {
      relay.start();
      awaitDelivered();
      execute("CREATE TABLE kept AS SELECT * FROM postcommit_log_cursor");
      for (int i = 0; i < 3; i++) {
        writeMany(10);
        awaitDelivered();
      }
    }
    execute(
        "UPDATE postcommit_log_cursor c SET floor = k.floor, seen = k.seen, upto = k.upto,"
            + " position = k.position, mark = k.mark FROM kept k");
    deliverMoreAndCheckDuplicates(30);
  }

  @Test
  @DisplayName("a tombstone as a checkpoint does not stop it, and repeats nothing")
  void aTombstoneIsNoCheckpoint() throws Exception {
    deliverAndWrite(null);
    deliverMoreAndCheckDuplicates(0);
  }

  @Test
  @DisplayName("what is no checkpoint does not stop a relay: the table's cursor counts")
  void whatIsNoCheckpointDoesNotStopARelay() throws Exception {
    deliverAndWrite("1 x 1 1 1:1 - 1".getBytes(StandardCharsets.UTF_8));
    deliverMoreAndCheckDuplicates(0);
  }

  /** Has a relay deliver some events, and then writes something else under its key. */
  private void deliverAndWrite(byte @Nullable [] value) throws Exception {
    writeMany(20);
    try (TransactionalPublisher publisher = publisher();
        Relay relay = relay(publisher)) {
      relay.start();
      awaitDelivered();
    }
    Map<String, Object> properties =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "acks", "all");
    int partition = Math.floorMod(id.hashCode(), 16);
    byte[] key = id.getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(CheckpointTopic.NAME, partition, key, value)).get();
    }
  }

  private void deliverMoreAndCheckDuplicates(int duplicates) throws Exception {
    try (TransactionalPublisher publisher = publisher();
        Relay relay = relay(publisher)) {
      relay.start();
      writeMany(10);
      awaitDelivered();
    }
    LedgerReport report = report();
    assertThat(report.clean()).as("%s", report).isTrue();
    assertThat(report.duplicates()).as("%s", report).isEqualTo(duplicates);
  }

  @Test
  @DisplayName("a pause ends where it began, though others took over meanwhile")
  void aPauseRepeatsNothing() throws Exception {
    try (TransactionalPublisher one = publisher();
        TransactionalPublisher other = publisher();
        Relay first = relay(one);
        Relay second = relay(other)) {
      first.start();
      second.start();
      for (int i = 0; i < 3; i++) {
        writeMany(50);
        awaitDelivered();
        admin.pause(new Decision("ada", null));
        await()
            .atMost(Duration.ofSeconds(10))
            .until(
                () -> first.state() == Relay.State.PAUSED && second.state() == Relay.State.PAUSED);
        writeMany(50);
        admin.resume(new Decision("ada", null));
        awaitDelivered();
      }
    }
    LedgerReport report = report();
    assertThat(report.clean()).as("%s", report).isTrue();
    assertThat(report.duplicates()).as("%s", report).isZero();
  }
}
