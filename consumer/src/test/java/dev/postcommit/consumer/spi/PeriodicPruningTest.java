package dev.postcommit.consumer.spi;

import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.consumer.inbox.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PeriodicPruningTest {
  private final AtomicInteger calls = new AtomicInteger();

  private final EventConsumer consumer =
      new EventConsumer() {
        @Override
        public String name() {
          return "test";
        }

        @Override
        public List<Outcome> handle(List<WorkItem> items) {
          return List.of();
        }

        @Override
        public long prune() {
          return switch (calls.incrementAndGet()) {
            case 1 -> throw new StoreUnavailableException("the store is away", null);
            case 2 -> throw new NoClassDefFoundError("a jar");
            default -> 1;
          };
        }
      };

  @Test
  void prunesAgainAndAgainWhateverFails() {
    Duration moment = Duration.ofMillis(1);
    try (PeriodicPruning pruning = new PeriodicPruning(consumer, moment, moment)) {
      pruning.start();
      await().until(() -> calls.get() >= 4);
    }
  }
}
