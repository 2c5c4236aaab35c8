package dev.postcommit.server.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.KafkaServer;
import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of the README, run. */
class QuickStartIT {

  @Test
  @DisplayName("R1, R22, R30: the README's code delivers an event to Kafka")
  void theCodeOfTheReadmeDeliversAnEvent() throws Exception {
    KafkaServer.shared().createTopic("order.placed", 1);
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, Layout.nativeTable());
      write(dataSource);
      CountDownLatch running = new CountDownLatch(1);
      CompletableFuture<Void> relaying =
          CompletableFuture.runAsync(
              () -> relay(dataSource, KafkaServer.shared().bootstrapServers(), running));
      OutboxAdmin admin = OutboxAdmin.of(dataSource, Layout.nativeTable());
      await().until(() -> admin.status().pending() == 0);
      running.countDown();
      relaying.get(30, TimeUnit.SECONDS);

      assertThat(admin.status().dead()).isZero();
    }
  }

  private static void write(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.createStatement().execute("CREATE TABLE orders (id int, status text)");
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
}
