package dev.postcommit.kafka;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * What a consumer reads, and how it works.
 *
 * @param topics the topics to read, at least one
 * @param threads how many threads handle messages
 * @param order which messages wait for each other
 * @param batchSize the most messages handled together
 * @param closeTimeout how long handlers may take to finish when the consumer is closed
 */
record ConsumerPlan(
    List<String> topics, int threads, ConsumerOrder order, int batchSize, Duration closeTimeout) {

  ConsumerPlan {
    topics = List.copyOf(topics);
    Objects.requireNonNull(order, "order");
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("no topics: name at least one to read");
    }
    if (topics.stream().anyMatch(String::isBlank) || new HashSet<>(topics).size() < topics.size()) {
      throw new IllegalArgumentException(
          "topics must be different and not blank, but are " + topics);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, not " + threads);
    }
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize must be at least 1, not " + batchSize);
    }
    if (closeTimeout.isNegative()) {
      throw new IllegalArgumentException("closeTimeout must not be negative: " + closeTimeout);
    }
  }
}
