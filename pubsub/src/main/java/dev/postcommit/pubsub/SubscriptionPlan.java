package dev.postcommit.pubsub;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer reads, and how it works.
 *
 * @param subscription the subscription to read, by its full name
 * @param topic the full name of the topic that it is of; null to ask Pub/Sub
 * @param ordered whether messages of one ordering key are handled one after the other
 * @param threads how many threads handle messages
 * @param batchSize the most messages handled together
 * @param maxOutstanding the most messages that are pulled and not done
 * @param ackDeadline how long Pub/Sub waits for a sign of life of who pulled a message
 * @param closeTimeout how long handlers may take to finish when the consumer is closed
 */
record SubscriptionPlan(
    String subscription,
    @Nullable String topic,
    boolean ordered,
    int threads,
    int batchSize,
    int maxOutstanding,
    Duration ackDeadline,
    Duration closeTimeout) {
  private static final Duration SHORTEST_DEADLINE = Duration.ofSeconds(10);
  private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(10);

  SubscriptionPlan {
    atLeastOne("threads", threads);
    atLeastOne("batchSize", batchSize);
    atLeastOne("maxOutstanding", maxOutstanding);
    if (ackDeadline.compareTo(SHORTEST_DEADLINE) < 0
        || ackDeadline.compareTo(LONGEST_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "ackDeadline must be from 10 s to 10 min, as Pub/Sub has it, not " + ackDeadline);
    }
    if (closeTimeout.isNegative()) {
      throw new IllegalArgumentException("closeTimeout must not be negative: " + closeTimeout);
    }
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
  }
}
