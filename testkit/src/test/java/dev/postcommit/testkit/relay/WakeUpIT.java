package dev.postcommit.testkit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.PostgresServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Writers of the relay's own process wake it after each commit. */
class WakeUpIT {
  private static final Duration STORM = Duration.ofMillis(600);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(3);

  @Test
  void howeverOftenItIsWokenEventsGatherBetweenClaims() {
    AtomicInteger looks = new AtomicInteger();
    RelayListener counting =
        new RelayListener() {
          @Override
          public void looked(int found) {
            looks.incrementAndGet();
          }
        };
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
      try (Relay relay =
          Relay.builder(
                  database.dataSource(), Publisher.callback(Duration.ofSeconds(1), message -> {}))
              .listener(counting)
              .build()) {
        long start = System.nanoTime();
        relay.start();
        while (System.nanoTime() - start < STORM.toNanos()) {
          relay.wakeUp();
        }
        int looked = looks.get();
        long took = System.nanoTime() - start;
        assertThat(looked).isBetween(5, Math.toIntExact(took / SHORTEST_PAUSE.toNanos()) + 2);
      }
    }
  }
}
