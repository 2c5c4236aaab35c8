package dev.postcommit.pubsub;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A publisher's settings.
 *
 * @param connection where Pub/Sub is
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

  private static final Pattern TOPIC =
      Pattern.compile("projects/[^/\\s]+/topics/[A-Za-z][A-Za-z0-9._~+%-]{2,254}");

  PublishSettings {
    topics = List.copyOf(topics);
    for (String topic : topics) {
      if (!isTopic(topic)) {
        throw new IllegalArgumentException(noTopic(topic));
      }
    }
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

  /** Whether that is the full name of a topic, as Pub/Sub allows them. */
  static boolean isTopic(String name) {
    return TOPIC.matcher(name).matches();
  }

  static String noTopic(String name) {
    return "'%s' is no name of a Pub/Sub topic: a letter, and then 2 to 254 of letters, digits and - . _ ~ + %%"
        .formatted(name);
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
