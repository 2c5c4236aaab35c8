package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.Message;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.Orders;
import dev.postcommit.spring.SpringOutbox;
import dev.postcommit.testkit.pubsub.PubSubServer;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Event handlers with Pub/Sub instead of Kafka, and with Redis instead of Postgres. */
class OtherSystemsIT extends ConsumerFixture {

  /** Notes what it is given. */
  static class Notes {
    private final List<String> taken = new CopyOnWriteArrayList<>();

    List<String> taken() {
      return taken;
    }

    @EventHandler("order.placed")
    void on(String order, EventContext event) {
      taken.add(String.valueOf(event.key()));
    }
  }

  @Test
  void aSubscriptionIsRead() {
    try (PubSubServer server = PubSubServer.startHere()) {
      server.createTopic("order.placed");
      server.createSubscription("stock", "order.placed");
      Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
          .withBean(Notes.class)
          .withPropertyValues(
              "spring.cloud.gcp.project-id=" + server.project(),
              "spring.cloud.gcp.pubsub.emulator-host=" + server.emulatorHost(),
              "postcommit.consumer.group=stock",
              "postcommit.consumer.subscriptions=stock")
          .run(
              context -> {
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(
                        status -> context.getBean(SpringOutbox.class).enqueue(Orders.placed(2)));
                awaitUntil(() -> marks() == 1);
                assertThat(context.getBean(Notes.class).taken()).containsExactly("2");
              });
    }
  }

  @Test
  void marksAreInRedisOnRequest() {
    RedisServer redis = RedisServer.shared();
    application()
        .withBean(Notes.class)
        .withPropertyValues(
            "spring.data.redis.url=" + redis.url(),
            "postcommit.consumer.inbox=redis",
            "postcommit.consumer.group=notes-" + topic)
        .run(
            context -> {
              Message first = send("order.placed", 3, "{}");
              send(first);
              send("order.placed", 4, "{}");
              Notes notes = context.getBean(Notes.class);
              awaitUntil(() -> notes.taken().contains("4"));
              assertThat(notes.taken()).containsExactly("3", "4");
            });
    assertThat(marks()).isZero();
    RedisClient client = RedisClient.create(redis.url());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      assertThat(connection.sync().keys("postcommit:notes-" + topic + ":*")).hasSize(2);
    } finally {
      client.shutdown();
    }
  }
}
