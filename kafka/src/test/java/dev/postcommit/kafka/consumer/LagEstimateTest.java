package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LagEstimateTest {
  private static final TopicPartition FULL = new TopicPartition("orders", 0);
  private static final TopicPartition FREE = new TopicPartition("orders", 1);

  /** A client that learns the end of a partition when it fetches from it. */
  private static final class Client extends MockConsumer<byte[], byte[]> {
    private int requests;

    Client() {
      super("earliest");
      assign(List.of(FULL, FREE));
      seek(FULL, 100);
      seek(FREE, 10);
    }

    @Override
    public OptionalLong currentLag(TopicPartition partition) {
      return OptionalLong.of(5);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions, Duration timeout) {
      requests++;
      return super.endOffsets(partitions, timeout);
    }
  }

  private final Client client = new Client();
  private final LagEstimate estimate = new LagEstimate(client, 0);

  private OptionalLong after(int seconds) {
    estimate.measure(Set.of(FULL, FREE), Duration.ofSeconds(seconds).toNanos());
    return estimate.unfetched();
  }

  @Test
  void isUnknownUntilItIsMeasured() {
    assertThat(estimate.unfetched()).isEmpty();
    assertThat(after(0)).hasValue(10);
    estimate.forget();
    assertThat(estimate.unfetched()).isEmpty();
    assertThat(after(1)).hasValue(10);
  }

  @Test
  void aPartitionThatFetchesIsNotAskedAbout() {
    client.updateEndOffsets(Map.of(FULL, 1_000L, FREE, 1_000L));
    assertThat(after(0)).hasValue(10);
    assertThat(after(60)).hasValue(10);
    assertThat(client.requests).isZero();
  }

  @Test
  void growsWhileAPartitionIsPaused() {
    client.pause(List.of(FULL));
    client.updateEndOffsets(Map.of(FULL, 150L));
    assertThat(after(0)).hasValue(50 + 5);

    client.updateEndOffsets(Map.of(FULL, 200L));
    assertThat(after(9)).hasValue(50 + 5);
    assertThat(after(10)).hasValue(100 + 5);
    assertThat(client.requests).isEqualTo(2);

    client.resume(List.of(FULL));
    assertThat(after(11)).hasValue(10);
  }

  @Test
  void isMeasuredAtMostOncePerSecond() {
    assertThat(after(0)).hasValue(10);
    client.pause(List.of(FULL));
    client.updateEndOffsets(Map.of(FULL, 150L));
    estimate.measure(Set.of(FULL, FREE), Duration.ofMillis(999).toNanos());
    assertThat(estimate.unfetched()).hasValue(10);
    assertThat(after(1)).hasValue(55);
  }
}
