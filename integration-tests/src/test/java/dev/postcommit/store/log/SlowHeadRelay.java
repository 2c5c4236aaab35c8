package dev.postcommit.store.log;

import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * A relay of a log in a process of its own, whose broker answers for the first event only when it
 * has taken all others. Arguments: address and user of the database, and how many events there are.
 */
final class SlowHeadRelay {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  private SlowHeadRelay() {}

  public static void main(String[] arguments) throws InterruptedException {
    HikariDataSource dataSource = new HikariDataSource();
    dataSource.setJdbcUrl(arguments[0]);
    dataSource.setUsername(arguments[1]);
    CountDownLatch others = new CountDownLatch(Integer.parseInt(arguments[2]) - 1);
    SlowHead broker = new SlowHead(others);
    Relay relay =
        Relay.builder(dataSource, broker)
            .layout(LogTable.LAYOUT)
            .lease(TIMEOUT.plusMinutes(1))
            .build();
    relay.start();
    others.await();
    System.out.println("delivered the others");
    broker.first.complete(Delivery.DELIVERED);
    relay.close();
    dataSource.close();
  }

  private static final class SlowHead implements Publisher {
    private final CompletableFuture<Delivery> first = new CompletableFuture<>();
    private final CountDownLatch others;

    SlowHead(CountDownLatch others) {
      this.others = others;
    }

    @Override
    public CompletionStage<Delivery> send(Message message) {
      if ("slow".equals(message.key())) {
        return first;
      }
      others.countDown();
      return CompletableFuture.completedFuture(Delivery.DELIVERED);
    }

    @Override
    public Optional<String> problem() {
      return Optional.empty();
    }

    @Override
    public Duration deliveryTimeout() {
      return TIMEOUT;
    }
  }
}
