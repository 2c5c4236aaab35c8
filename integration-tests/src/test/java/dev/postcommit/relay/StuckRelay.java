package dev.postcommit.relay;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.postgresql.ds.PGSimpleDataSource;

/** A relay in a process of its own whose broker never answers. */
final class StuckRelay {
  private static final String SENDING = "sending";

  private StuckRelay() {}

  /** Arguments: JDBC url, user, the sample's name, and the lease in milliseconds. */
  public static void main(String[] args) throws Exception {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(args[0]);
    dataSource.setUser(args[1]);
    LayoutSample sample = (LayoutSample) Samples.class.getField(args[2]).get(null);
    Duration lease = Duration.ofMillis(Long.parseLong(args[3]));
    Relay relay =
        Relay.builder(dataSource, new Silent(lease.dividedBy(2)))
            .layout(sample.layout())
            .lease(lease)
            .pollInterval(Duration.ofMillis(50))
            .build();
    relay.start();
    Thread.currentThread().join();
  }

  /** Whether such a process has events in flight. */
  static boolean isSending(String output) {
    return output.contains(SENDING);
  }

  private record Silent(Duration deliveryTimeout) implements Publisher {
    @Override
    public CompletionStage<Delivery> send(Message message) {
      System.out.println(SENDING);
      return new CompletableFuture<>();
    }

    @Override
    public Optional<String> problem() {
      return Optional.empty();
    }
  }
}
