package dev.postcommit.pubsub;

import dev.postcommit.pubsub.internal.PubSubNames;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a publisher.
 *
 * @param connection the server
 * @param topics the full names of the topics without which nothing can be delivered
 * @param deliveryTimeout how long the publisher tries to deliver a message
 * @param requestTimeout how long it waits for the answer to one request
 */
record PublishSettings(
    PubSubConnection connection,
    List<String> topics,
    Duration deliveryTimeout,
    Duration requestTimeout) {

  /** How long Pub/Sub may take to answer a question about itself. */
  static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration SHORTEST_REQUEST = Duration.ofMillis(100);

  PublishSettings {
    topics = List.copyOf(topics);
    topics.forEach(topic -> PubSubNames.check("topic", topic));
    if (requestTimeout.compareTo(SHORTEST_REQUEST) < 0) {
      throw new IllegalArgumentException(
          "requestTimeout (%s) must be at least %s".formatted(requestTimeout, SHORTEST_REQUEST));
    }
    if (deliveryTimeout.compareTo(requestTimeout) < 0) {
      throw new IllegalArgumentException(
          "deliveryTimeout (%s) must not be shorter than requestTimeout (%s)"
              .formatted(deliveryTimeout, requestTimeout));
    }
  }

  /** Whether nothing can be delivered without the topic. */
  boolean requires(String topic) {
    return topics.contains(topic);
  }

  /** The longest time from handing a message over to its outcome. */
  Duration longestDelivery() {
    return deliveryTimeout.plus(ANSWER_TIMEOUT);
  }
}
