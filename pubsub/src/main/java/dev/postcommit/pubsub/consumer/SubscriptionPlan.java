package dev.postcommit.pubsub.consumer;

import dev.postcommit.consumer.spi.WorkerSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer reads, and how it works.
 *
 * @param subscription the subscription to read, by its full name
 * @param topic the full name of the topic that it is of; null to ask Pub/Sub
 * @param ordered whether messages of one ordering key are handled one after the other
 * @param workers how messages are handled
 * @param maxOutstanding the most messages that are pulled and not done
 * @param ackDeadline how long Pub/Sub waits for a sign of life from the consumer of a message
 */
record SubscriptionPlan(
    String subscription,
    @Nullable String topic,
    boolean ordered,
    WorkerSettings workers,
    int maxOutstanding,
    Duration ackDeadline) {
  private static final Duration SHORTEST_DEADLINE = Duration.ofSeconds(10);
  private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(10);

  SubscriptionPlan {
    WorkerSettings.atLeastOne("maxOutstanding", maxOutstanding);
    if (ackDeadline.compareTo(SHORTEST_DEADLINE) < 0
        || ackDeadline.compareTo(LONGEST_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "ackDeadline must be from 10 s to 10 min, as Pub/Sub requires, not " + ackDeadline);
    }
  }
}
