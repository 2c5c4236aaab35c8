package dev.postcommit.kafka.consumer;

import java.time.Duration;
import java.util.Collection;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** How many records of the assigned partitions were not fetched, as far as the client knows. */
final class LagEstimate {
  private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

  private final Consumer<?, ?> consumer;
  private long measuredAt = System.nanoTime() - INTERVAL;
  private volatile OptionalLong unfetched = OptionalLong.empty();

  LagEstimate(Consumer<?, ?> consumer) {
    this.consumer = consumer;
  }

  /** Measures, unless it was done a moment ago; for use by the poll thread. */
  void measure(Collection<TopicPartition> partitions) {
    long now = System.nanoTime();
    if (now - measuredAt >= INTERVAL) {
      measuredAt = now;
      unfetched = sum(partitions);
    }
  }

  private OptionalLong sum(Collection<TopicPartition> partitions) {
    long sum = 0;
    for (TopicPartition partition : partitions) {
      OptionalLong lag = consumer.currentLag(partition);
      if (lag.isEmpty()) {
        return OptionalLong.empty();
      }
      sum += lag.getAsLong();
    }
    return OptionalLong.of(sum);
  }

  OptionalLong unfetched() {
    return unfetched;
  }
}
