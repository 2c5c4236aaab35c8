package dev.postcommit.kafka.consumer;

import dev.postcommit.kafka.internal.ListenerProbe;
import dev.postcommit.support.DurationText;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Notices that Kafka does not answer, which the client keeps to itself while it tries again. For
 * use by the poll thread.
 */
final class AnswerWatch {
  private static final String GROUP = "consumer-metrics";
  private static final String RESPONSES = "response-total";
  private static final String CONNECTIONS = "connection-creation-total";

  private final Consumer<?, ?> consumer;
  private final ListenerProbe probe;
  private final Silence silence;
  private @Nullable Metric responses;
  private @Nullable Metric connections;
  private final AnswerCount count = new AnswerCount();

  /** Watches one client, which has just been created. */
  AnswerWatch(Consumer<?, ?> consumer, ListenerProbe probe, ConsumerSettings settings) {
    this.consumer = consumer;
    this.probe = probe;
    this.silence =
        new Silence(settings.longestSilence(), settings.longestRebalance(), System.nanoTime());
  }

  /**
   * The problem after a poll: there has been no answer for too long.
   *
   * @param fetching whether there is a partition from which the client fetches
   */
  Optional<TimeoutException> problem(boolean fetching) {
    Optional<String> exceeded =
        silence
            .polled(hasAnswered(), fetching, System.nanoTime())
            .map(limit -> "no answer from Kafka for " + DurationText.spoken(limit));
    if (exceeded.isEmpty()) {
      probe.answered();
      return Optional.empty();
    }
    String reason = probe.reason(hasHadAnswer()).map(found -> ": " + found).orElse("");
    return exceeded.map(text -> new TimeoutException(text + reason));
  }

  /** Whether Kafka has ever answered this client. */
  boolean hasHadAnswer() {
    return silence.hasHadAnswer();
  }

  private boolean hasAnswered() {
    if (responses == null || connections == null) {
      responses = find(consumer.metrics(), RESPONSES);
      connections = find(consumer.metrics(), CONNECTIONS);
    }
    // Without the metrics every poll counts as an answer.
    return responses == null
        || connections == null
        || count.hasGrown(value(responses), value(connections));
  }

  private static double value(Metric metric) {
    return ((Number) metric.metricValue()).doubleValue();
  }

  private static @Nullable Metric find(Map<MetricName, ? extends Metric> metrics, String name) {
    for (Map.Entry<MetricName, ? extends Metric> metric : metrics.entrySet()) {
      if (metric.getKey().group().equals(GROUP) && metric.getKey().name().equals(name)) {
        return metric.getValue();
      }
    }
    return null;
  }
}
