package dev.postcommit.kafka.consumer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.consumer.ConsumerListener;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * One instance of a consumer, in a process that a test can kill. Its effects are rows of {@link
 * Effects}; it prints a line for every duplicate.
 *
 * <p>Arguments: the name of the consumer, its group and its topic; brokers; database, its user and,
 * for marks in Redis, where that is. Without it, marks and effects are one transaction.
 */
final class ConsumerProcess {
  static final String TYPE = "order.placed";
  static final String DUPLICATE = "duplicate ";
  static final int THREADS = 2;
  static final Duration SESSION_TIMEOUT = Duration.ofSeconds(2);

  /** How long events that were in progress in a process that is killed are held back. */
  static final Duration IN_PROGRESS_TIME = Duration.ofSeconds(6);

  private static final int LONGEST_PAUSE_NANOS = 2_000_000;

  private ConsumerProcess() {}

  /** What the process with this id calls itself, in Postgres and in Redis. */
  static String name(long pid) {
    return "consumer-" + pid;
  }

  public static void main(String[] arguments) throws InterruptedException {
    String name = arguments[0];
    long pid = ProcessHandle.current().pid();
    DataSource database = database(arguments[2], arguments[3], pid);
    EventConsumer.Builder events =
        EventConsumer.builder(name)
            .listener(
                new ConsumerListener() {
                  @Override
                  public void duplicate(ReceivedEvent<?> event) {
                    System.out.println(DUPLICATE + event.id());
                  }
                });
    if (arguments.length == 4) {
      JdbcIdempotencyStore store = JdbcIdempotencyStore.builder(database, name).build();
      events
          .inbox(Inbox.transactional(store))
          .on(TYPE, String.class, (Connection tx, ReceivedEvent<String> e) -> handle(tx, e, pid));
    } else {
      events
          .inbox(Inbox.marking(redis(arguments[4], pid)))
          .on(
              TYPE,
              String.class,
              event -> {
                try (Connection connection = database.getConnection()) {
                  handle(connection, event, pid);
                }
              });
    }
    KafkaEventConsumer.builder(events.build())
        .bootstrapServers(arguments[1])
        .topics(name)
        .threads(THREADS)
        .order(ConsumerOrder.KEY)
        // So that there is always more to do when a batch is committed.
        .batchSize(100)
        .property("session.timeout.ms", Math.toIntExact(SESSION_TIMEOUT.toMillis()))
        .property("heartbeat.interval.ms", 300)
        .build()
        .start();
    new CountDownLatch(1).await();
  }

  /** Leaves moments to be killed in before the effect and between effect and mark. */
  private static void handle(Connection connection, ReceivedEvent<?> event, long pid)
      throws Exception {
    pause();
    Effects.write(connection, event, pid);
    pause();
  }

  private static void pause() {
    LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_NANOS));
  }

  private static DataSource database(String url, String user, long pid) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url + "?ApplicationName=" + name(pid));
    config.setUsername(user);
    config.setMaximumPoolSize(THREADS + 1);
    return new HikariDataSource(config);
  }

  private static RedisIdempotencyStore redis(String url, long pid) {
    RedisURI uri = RedisURI.create(url);
    uri.setClientName(name(pid));
    return RedisIdempotencyStore.builder(RedisClient.create(uri))
        .inProgressTime(IN_PROGRESS_TIME)
        .build();
  }
}
