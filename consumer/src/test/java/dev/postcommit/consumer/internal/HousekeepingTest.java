package dev.postcommit.consumer.internal;

import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Attempt;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HousekeepingTest {
  private final AtomicInteger calls = new AtomicInteger();

  private final EventConsumer consumer =
      new EventConsumer() {
        @Override
        public String name() {
          return "test";
        }

        @Override
        public List<Outcome> handle(List<Attempt> attempts) {
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
    try (Housekeeping housekeeping = new Housekeeping(consumer, moment, moment)) {
      housekeeping.start();
      await().until(() -> calls.get() >= 4);
    }
  }
}
