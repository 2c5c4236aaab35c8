package dev.postcommit.server.docs;

import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.pubsub.consumer.PubSubEventConsumer;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.Router;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of the page of Pub/Sub, run. */
class PubSubPageIT {
  private final CountDownLatch running = new CountDownLatch(1);
  private final AtomicReference<String> arrived = new AtomicReference<>();

  @Test
  @DisplayName("R1, R22, R30, R43: the page's code delivers an event to Pub/Sub and consumes it")
  void theCodeOfThePageDeliversAnEventAndConsumesIt() throws SQLException {
    PubSubServer server = PubSubServer.shared();
    server.createTopic("orders");
    server.createSubscription("inventory", "orders");
    PubSubConnection connection =
        PubSubConnection.of(server.project()).emulator(server.emulatorHost());
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, Layout.nativeTable());
      InboxMigration.migrate(dataSource, TableName.of("processed_events"));
      write(dataSource);
      CompletableFuture<Void> relaying =
          CompletableFuture.runAsync(() -> relay(dataSource, connection));
      CompletableFuture<Void> consuming =
          CompletableFuture.runAsync(() -> consume(inventory(dataSource), connection));
      await().atMost(Duration.ofSeconds(30)).until(() -> "{\"total\": 100}".equals(arrived.get()));
      running.countDown();
      relaying.join();
      consuming.join();
    }
  }

  private static void write(DataSource dataSource) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      Outbox.create()
          .enqueue(
              tx,
              Event.builder("order.placed")
                  .aggregate("order", "42")
                  .json("{\"total\": 100}")
                  .build());
      tx.commit();
    }
  }

  private EventConsumer inventory(DataSource dataSource) {
    return EventConsumer.builder("inventory")
        .inbox(Inbox.transactional(JdbcIdempotencyStore.builder(dataSource, "inventory").build()))
        .on("order.placed", String.class, (tx, event) -> arrived.set(event.data()))
        .build();
  }

  private void relay(DataSource dataSource, PubSubConnection connection) {
    try (PubSubPublisher pubsub = PubSubPublisher.builder(connection).topics("orders").build();
        Relay relay = Relay.builder(dataSource, pubsub).router(Router.fixed("orders")).build()) {
      relay.start();
      running.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void consume(EventConsumer inventory, PubSubConnection connection) {
    try (PubSubEventConsumer consumer =
        PubSubEventConsumer.builder(inventory, connection).subscription("inventory").build()) {
      consumer.start();
      running.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
