package dev.postcommit.server.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.kafka.consumer.KafkaEventConsumer;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of the README, run. */
class QuickStartIT {

  /** The content of the README's event. */
  record OrderPlaced(int total) {}

  /** The service of the README's consumer. */
  private static final class Stock {
    void reserve(Connection tx, OrderPlaced order) throws SQLException {
      tx.createStatement().execute("INSERT INTO reservation VALUES (" + order.total() + ")");
    }
  }

  @Test
  @DisplayName("R1, R22, R30, R43: the README's code delivers an event to Kafka and consumes it")
  void theCodeOfTheReadmeDeliversAnEventAndConsumesIt() throws Exception {
    KafkaServer.shared().createTopic("order.placed", 1);
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, Layout.nativeTable());
      write(dataSource);
      InboxMigration.migrate(dataSource, TableName.of("processed_events"));
      CountDownLatch running = new CountDownLatch(1);
      String bootstrapServers = KafkaServer.shared().bootstrapServers();
      CompletableFuture<Void> relaying =
          CompletableFuture.runAsync(() -> relay(dataSource, bootstrapServers, running));
      CompletableFuture<Void> consuming =
          CompletableFuture.runAsync(() -> consume(dataSource, bootstrapServers, running));
      OutboxAdmin admin = OutboxAdmin.of(dataSource, Layout.nativeTable());
      await().until(() -> admin.status().pending() == 0);
      await().atMost(30, TimeUnit.SECONDS).until(() -> reserved(dataSource) == 100);
      running.countDown();
      relaying.get(30, TimeUnit.SECONDS);
      consuming.get(30, TimeUnit.SECONDS);

      assertThat(admin.status().dead()).isZero();
    }
  }

  private static void write(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.createStatement().execute("CREATE TABLE orders (id int, status text)");
      connection.createStatement().execute("CREATE TABLE reservation (total int)");
    }
    Outbox outbox = Outbox.create();
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      tx.createStatement().execute("INSERT INTO orders VALUES (42, 'placed')");
      outbox.enqueue(
          tx,
          Event.builder("order.placed").aggregate("order", "42").json("{\"total\": 100}").build());
      tx.commit();
    }
  }

  private static void relay(
      DataSource dataSource, String bootstrapServers, CountDownLatch running) {
    try (KafkaPublisher kafka =
            KafkaPublisher.builder().bootstrapServers(bootstrapServers).build();
        Relay relay = Relay.builder(dataSource, kafka).build()) {
      relay.start();
      running.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void consume(
      DataSource dataSource, String bootstrapServers, CountDownLatch running) {
    Stock stock = new Stock();
    JdbcIdempotencyStore store =
        JdbcIdempotencyStore.builder(dataSource, "inventory-service").build();
    EventConsumer inventory =
        EventConsumer.builder("inventory-service")
            .inbox(Inbox.transactional(store))
            .on("order.placed", OrderPlaced.class, (tx, event) -> stock.reserve(tx, event.data()))
            .build();
    try (KafkaEventConsumer consumer =
        KafkaEventConsumer.builder(inventory)
            .bootstrapServers(bootstrapServers)
            .topics("order.placed")
            .build()) {
      consumer.start();
      running.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int reserved(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        ResultSet row =
            connection
                .createStatement()
                .executeQuery("SELECT coalesce(sum(total), 0) FROM reservation")) {
      row.next();
      return row.getInt(1);
    }
  }
}
