package dev.postcommit.kafka.consumer;

import dev.postcommit.kafka.internal.ListenerProbe;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Notices that Kafka does not answer, which the client keeps to itself while it tries again.
 *
 * <p>A member of a group sends heartbeats, even if it has nothing to read, so something arrives
 * every few seconds as long as a broker can be reached. For use by the poll thread.
 */
final class AnswerWatch {
  private static final String GROUP = "consumer-metrics";
  private static final String RECEIVED_BYTES = "incoming-byte-total";

  /** Polls that are further apart do not show what arrived in between. */
  private static final long LONGEST_GAP = Duration.ofSeconds(5).toNanos();

  private final Consumer<?, ?> consumer;
  private final ListenerProbe probe;
  private final Duration limit;
  private @Nullable Metric received;
  private double lastReceived = -1;
  private long lastAnswer;
  private long lastPoll;

  /**
   * Watches one client.
   *
   * @param limit how long Kafka may be silent
   */
  AnswerWatch(Consumer<?, ?> consumer, ListenerProbe probe, Duration limit) {
    this.consumer = consumer;
    this.probe = probe;
    this.limit = limit;
    this.lastPoll = System.nanoTime();
    this.lastAnswer = lastPoll;
  }

  /** The problem after a poll: there has been no answer for too long. */
  Optional<TimeoutException> problem() {
    long now = System.nanoTime();
    double bytes = receivedBytes();
    if (bytes != lastReceived || now - lastPoll > LONGEST_GAP) {
      lastReceived = bytes;
      lastAnswer = now;
      probe.answered();
    }
    lastPoll = now;
    if (now - lastAnswer < limit.toNanos()) {
      return Optional.empty();
    }
    String reason = probe.reason().map(found -> ": " + found).orElse("");
    return Optional.of(
        new TimeoutException(
            "no answer from Kafka for %s%s".formatted(DurationText.spoken(limit), reason)));
  }

  private double receivedBytes() {
    if (received == null) {
      received = find(consumer.metrics());
    }
    return received == null ? lastReceived + 1 : ((Number) received.metricValue()).doubleValue();
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
