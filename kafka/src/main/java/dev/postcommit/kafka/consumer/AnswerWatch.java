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
  private static final String RECEIVED_BYTES = "incoming-byte-total";

  private final Consumer<?, ?> consumer;
  private final ListenerProbe probe;
  private final Silence silence;
  private @Nullable Metric received;
  private long polls;

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
            .polled(receivedBytes(), fetching, System.nanoTime())
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

  private double receivedBytes() {
    if (received == null) {
      received = find(consumer.metrics());
    }
    polls++;
    // Without the metric every poll counts as an answer.
    return received == null ? polls : ((Number) received.metricValue()).doubleValue();
  }

  private static @Nullable Metric find(Map<MetricName, ? extends Metric> metrics) {
    for (Map.Entry<MetricName, ? extends Metric> metric : metrics.entrySet()) {
      if (metric.getKey().group().equals(GROUP) && metric.getKey().name().equals(RECEIVED_BYTES)) {
        return metric.getValue();
      }
    }
    return null;
  }
}
