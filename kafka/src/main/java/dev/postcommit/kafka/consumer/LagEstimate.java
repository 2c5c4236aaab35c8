package dev.postcommit.kafka.consumer;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many records of the assigned partitions were not fetched, as far as is known. For use by the
 * poll thread, except for {@link #unfetched}.
 *
 * <p>The client learns the end of a partition when it fetches. While a partition is paused, it is
 * asked for; otherwise the lag would stand still just when the handlers do.
 */
final class LagEstimate {
  private static final Logger log = LoggerFactory.getLogger(LagEstimate.class);

  private static final long INTERVAL = Duration.ofSeconds(1).toNanos();
  private static final long REQUEST_INTERVAL = Duration.ofSeconds(10).toNanos();
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, Long> pausedEnds = new HashMap<>();
  private long measuredAt;
  private long requestedAt;
  private volatile OptionalLong unfetched = OptionalLong.empty();

  LagEstimate(Consumer<?, ?> consumer, long now) {
    this.consumer = consumer;
    this.measuredAt = now - INTERVAL;
    this.requestedAt = now - REQUEST_INTERVAL;
  }

  /** Measures, unless it was done a moment ago. */
  void measure(Set<TopicPartition> partitions, long now) {
    if (now - measuredAt >= INTERVAL) {
      measuredAt = now;
      try {
        findPausedEnds(now);
        unfetched = sum(partitions);
      } catch (TimeoutException e) {
        log.debug("the lag cannot be measured", e);
      }
    }
  }

  /** Knows nothing until it measures again. */
  void forget() {
    unfetched = OptionalLong.empty();
  }

  private void findPausedEnds(long now) {
    Set<TopicPartition> paused = consumer.paused();
    pausedEnds.keySet().retainAll(paused);
    if (!paused.isEmpty() && now - requestedAt >= REQUEST_INTERVAL) {
      requestedAt = now;
      pausedEnds.putAll(consumer.endOffsets(paused, REQUEST_TIMEOUT));
    }
  }

  private OptionalLong sum(Set<TopicPartition> partitions) {
    long sum = 0;
    for (TopicPartition partition : partitions) {
      OptionalLong lag = consumer.currentLag(partition);
      if (lag.isEmpty()) {
        return OptionalLong.empty();
      }
      sum += Math.max(lag.getAsLong(), pausedLag(partition));
    }
    return OptionalLong.of(sum);
  }

  /** The lag of a partition whose end was asked for, or 0. */
  private long pausedLag(TopicPartition partition) {
    Long end = pausedEnds.get(partition);
    return end == null ? 0 : end - consumer.position(partition, REQUEST_TIMEOUT);
  }

  OptionalLong unfetched() {
    return unfetched;
  }
}
