package dev.postcommit.kafka.consumer;

import dev.postcommit.consumer.spi.WorkerSettings;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * What a consumer reads, and how it works.
 *
 * @param topics the topics to read, at least one
 * @param order which messages wait for each other
 * @param workers how messages are handled
 */
record ConsumerPlan(List<String> topics, ConsumerOrder order, WorkerSettings workers) {

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
  }
}
