package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubReader;
import dev.postcommit.testkit.pubsub.PubSubServer;
import io.grpc.Status;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of rows on the bad days that the page of Pub/Sub lists. */
@SuppressWarnings("try") // a relay works without being spoken to
class PubSubBadDaysIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String PUBLISH = "google.pubsub.v1.Publisher/Publish";
  private static final int TOO_LARGE = 10_000_001;
  private static final Layout LAYOUT =
      Layout.nativeTable()
          .withRetryPolicy(new RetryPolicy(100, Duration.ofMillis(20), Duration.ofMillis(200)));

  private final PubSubServer pubsub = PubSubServer.shared();
  private final PubSubProxy proxy = PubSubProxy.before(pubsub);
  private final PubSubConnection connection =
      PubSubConnection.of(pubsub.project()).emulator(proxy.emulatorHost());
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final String topic = "orders-" + UUID.randomUUID();
  private final List<String> outages = new CopyOnWriteArrayList<>();
  private final AtomicInteger recoveries = new AtomicInteger();
  private final RelayListener listener =
      new RelayListener() {
        @Override
        public void brokerUnavailable(String reason) {
          outages.add(reason);
        }

        @Override
        public void brokerRecovered(Duration outage) {
          recoveries.incrementAndGet();
        }
      };

  private record Row(String status, int attempts, String lastError) {}

  @BeforeEach
  void migrate() {
    OutboxMigration.migrate(database.dataSource(), LAYOUT);
  }

  @AfterEach
  void close() {
    proxy.close();
    database.close();
  }

  private void createTopic() {
    pubsub.createTopic(topic);
    pubsub.createSubscription(topic, topic);
  }

  private Publisher publisher(String... required) {
    return PubSubPublisher.builder(connection)
        .topics(required)
        .requestTimeout(Duration.ofSeconds(1))
        .deliveryTimeout(Duration.ofSeconds(1))
        .build();
  }

  private Relay started(Publisher publisher) {
    Relay relay =
        Relay.builder(database.dataSource(), publisher).layout(LAYOUT).listener(listener).build();
    relay.start();
    return relay;
  }

  private String enqueue(String key) throws SQLException {
    Event event = Event.builder("order.placed").topic(topic).key(key).json("{}").build();
    try (Connection tx = database.dataSource().getConnection()) {
      tx.setAutoCommit(false);
      Outbox.builder(LAYOUT).build().enqueue(tx, event);
      tx.commit();
      tx.setAutoCommit(true);
    }
    return event.id().toString();
  }

  private Row row(String id) throws SQLException {
    try (Connection tx = database.dataSource().getConnection();
        PreparedStatement query =
            tx.prepareStatement(
                "SELECT status, attempts, last_error FROM postcommit_outbox WHERE id = ?::uuid")) {
      query.setString(1, id);
      ResultSet row = query.executeQuery();
      row.next();
      return new Row(row.getString(1), row.getInt(2), row.getString(3));
    }
  }

  private void awaitDelivered(String id) {
    await().atMost(PATIENCE).until(() -> row(id).status().equals("delivered"));
  }

  private static void awaitState(Relay relay, Relay.State state) {
    await().atMost(PATIENCE).until(() -> relay.state() == state);
  }

  @Test
  @DisplayName("R37, R48: a required topic that is missing is waited for, and costs no attempt")
  void aRequiredTopicIsWaitedFor() throws SQLException {
    String id = enqueue("a");
    try (Publisher publisher = publisher(topic);
        Relay relay = started(publisher)) {
      awaitState(relay, Relay.State.BROKER_UNAVAILABLE);
      assertThat(outages)
          .containsExactly(
              "topic %s does not exist; create it: gcloud pubsub topics create %s --project %s"
                  .formatted(pubsub.topicName(topic), topic, pubsub.project()));
      assertThat(row(id)).isEqualTo(new Row("pending", 0, null));
      createTopic();
      awaitDelivered(id);
    }
    assertThat(row(id).attempts()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "R22, R36: so is any other missing topic, while the relay runs, and it says what to do")
  void anyOtherMissingTopicIsWaitedFor() throws SQLException {
    String id = enqueue("a");
    try (Publisher publisher = publisher();
        Relay relay = started(publisher)) {
      await().atMost(PATIENCE).until(() -> row(id).lastError() != null);
      assertThat(row(id).lastError()).contains(topic + " does not exist; create it: gcloud pubsub");
      assertThat(row(id).attempts()).isZero();
      createTopic();
      awaitDelivered(id);
    }
    assertThat(row(id).attempts()).isEqualTo(1);
    assertThat(outages).isEmpty();
  }

  @Test
  @DisplayName("R37, R48: who may not publish to a required topic waits, and is told what to grant")
  void missingPermissionIsWaitedFor() throws SQLException {
    createTopic();
    PubSubProxy.Fault denied = proxy.fail(PUBLISH, Status.PERMISSION_DENIED);
    String id = enqueue("a");
    try (Publisher publisher = publisher(topic);
        Relay relay = started(publisher)) {
      awaitState(relay, Relay.State.BROKER_UNAVAILABLE);
      await().atMost(PATIENCE).until(() -> denied.count() > 3);
      assertThat(relay.state()).isEqualTo(Relay.State.BROKER_UNAVAILABLE);
      assertThat(row(id)).isEqualTo(new Row("pending", 0, null));
      denied.end();
      awaitDelivered(id);
    }
    assertThat(outages)
        .singleElement()
        .asString()
        .contains("may not publish to topic", "grant roles/pubsub.publisher on it");
  }

  @Test
  @DisplayName("R22: a message over 10 MB is dead at once, with its size, and its key goes on")
  void aMessageTooLargeIsDead() throws SQLException {
    createTopic();
    String large = enqueue("a");
    String next = enqueue("a");
    grow(large);
    try (Publisher publisher = publisher(topic);
        Relay relay = started(publisher)) {
      awaitDelivered(next);
      await().atMost(PATIENCE).until(() -> row(large).status().equals("dead"));
    }
    assertThat(row(large).attempts()).isEqualTo(1);
    assertThat(row(large).lastError())
        .startsWith("it is too large for Pub/Sub")
        .contains("at most 10000000", "keep large content elsewhere");
    assertThat(PubSubReader.read(pubsub, topic, 1)).hasSize(1);
  }

  /** The outbox itself takes no such event. */
  private void grow(String id) throws SQLException {
    try (Connection tx = database.dataSource().getConnection();
        PreparedStatement update =
            tx.prepareStatement("UPDATE postcommit_outbox SET payload = ? WHERE id = ?::uuid")) {
      update.setBytes(1, new byte[TOO_LARGE]);
      update.setString(2, id);
      update.executeUpdate();
    }
  }

  @Test
  @DisplayName("R37: a server that does not answer in time is waited for, and costs no attempt")
  void aSilentServerIsWaitedFor() throws SQLException {
    createTopic();
    try (Publisher publisher = publisher(topic);
        Relay relay = started(publisher)) {
      awaitDelivered(enqueue("a"));
      proxy.freeze();
      String id = enqueue("a");
      awaitState(relay, Relay.State.BROKER_UNAVAILABLE);
      assertThat(row(id)).isEqualTo(new Row("pending", 0, null));
      assertThat(outages).containsExactly(connection + " does not answer within 3 s");
      proxy.thaw();
      awaitDelivered(id);
      assertThat(row(id).attempts()).isEqualTo(1);
      awaitState(relay, Relay.State.RUNNING);
    }
    assertThat(recoveries).hasValue(outages.size());
  }

  @Test
  @DisplayName("R37: a server that is restarted is waited for, and costs no attempt")
  void aServerThatIsRestartedIsWaitedFor() throws SQLException {
    createTopic();
    try (Publisher publisher = publisher(topic);
        Relay relay = started(publisher)) {
      awaitDelivered(enqueue("a"));
      proxy.stop();
      String id = enqueue("a");
      awaitState(relay, Relay.State.BROKER_UNAVAILABLE);
      assertThat(row(id)).isEqualTo(new Row("pending", 0, null));
      assertThat(outages)
          .singleElement()
          .asString()
          .startsWith(connection + " does not answer: UNAVAILABLE");
      proxy.restart();
      awaitDelivered(id);
      assertThat(row(id).attempts()).isEqualTo(1);
      awaitState(relay, Relay.State.RUNNING);
    }
    assertThat(recoveries).hasValue(outages.size());
  }
}
