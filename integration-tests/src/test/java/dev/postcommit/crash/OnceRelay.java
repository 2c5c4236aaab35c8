package dev.postcommit.crash;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.TransactionalPublisher;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A relay that delivers a log exactly once, in a process that a test can kill. It prints its id.
 *
 * <p>Arguments: database, its user, brokers, the transactional id.
 */
final class OnceRelay {
  static final String ID = "relay-id ";

  /** Longer than a delivery with the timeouts below may take. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  private OnceRelay() {}

  private static TransactionalPublisher publisher(String bootstrapServers, String id) {
    return KafkaPublisher.builder()
        .bootstrapServers(bootstrapServers)
        .property("delivery.timeout.ms", 1_500)
        .property("request.timeout.ms", 1_000)
        .property("max.block.ms", 1_000)
        .buildTransactional(id);
  }

  public static void main(String[] arguments) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[0]);
    config.setUsername(arguments[1]);
    config.setMaximumPoolSize(4);
    config.setConnectionTimeout(2_000);
    config.setInitializationFailTimeout(-1);
    Relay relay =
        Relay.builder(new HikariDataSource(config), publisher(arguments[2], arguments[3]))
            .layout(Layout.log())
            .batchSize(50)
            .lease(LEASE)
            .build();
    Runtime.getRuntime().addShutdownHook(new Thread(relay::close));
    System.out.println(ID + relay.id());
    relay.start();
    new CountDownLatch(1).await();
  }
}
