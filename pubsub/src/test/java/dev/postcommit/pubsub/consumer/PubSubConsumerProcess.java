package dev.postcommit.pubsub.consumer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.pubsub.PubSubConnection;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * One instance of a consumer, in a process that a test can kill. Its effects are rows of {@link
 * PubSubConsumerEffects}, in one transaction with its marks.
 *
 * <p>Arguments: the server and its project; the subscription; database and its user.
 */
final class PubSubConsumerProcess {
  static final String CONSUMER = "inventory-service";
  static final String TYPE = "numbered";

  private static final int THREADS = 2;
  private static final int LONGEST_PAUSE_NANOS = 2_000_000;

  private PubSubConsumerProcess() {}

  public static void main(String[] arguments) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[3]);
    config.setUsername(arguments[4]);
    config.setMaximumPoolSize(THREADS + 1);
    EventConsumer events =
        EventConsumer.builder(CONSUMER)
            .inbox(
                Inbox.transactional(
                    JdbcIdempotencyStore.builder(new HikariDataSource(config), CONSUMER).build()))
            .on(TYPE, String.class, PubSubConsumerProcess::handle)
            .build();
    PubSubEventConsumer.builder(events, PubSubConnection.of(arguments[1]).emulator(arguments[0]))
        .subscription(arguments[2])
        .threads(THREADS)
        .batchSize(20)
        .maxOutstanding(300)
        .ackDeadline(Duration.ofSeconds(10))
        .build()
        .start();
    new CountDownLatch(1).await();
  }

  /** Leaves moments to be killed in before the effect and after it. */
  private static void handle(Connection tx, ReceivedEvent<String> event) throws Exception {
    pause();
    PubSubConsumerEffects.write(tx, event);
    pause();
  }

  private static void pause() {
    LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_NANOS));
  }
}
