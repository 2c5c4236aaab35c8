package dev.postcommit.kafka.consumer;

import dev.postcommit.consumer.spi.RecurringFailure;
import dev.postcommit.support.ErrorText;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits the progress of partitions. For use by the poll thread. */
final class OffsetCommits {
  private static final Logger log = LoggerFactory.getLogger(OffsetCommits.class);

  /** The shortest time between two commits. */
  private static final long INTERVAL = Duration.ofMillis(100).toNanos();

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Consumer<byte[], byte[]> consumer;
  private final RecurringFailure failure = new RecurringFailure(log, "committing offsets");
  private boolean inFlight;
  private long last = System.nanoTime() - INTERVAL;

  OffsetCommits(Consumer<byte[], byte[]> consumer) {
    this.consumer = consumer;
  }

  /**
   * Begins to commit progress, if there is any and the interval is over.
   *
   * @return whether there is progress that is not committed yet
   */
  boolean begin(Collection<AssignedPartition> partitions) {
    if (inFlight || System.nanoTime() - last < INTERVAL) {
      return inFlight || !progress(partitions).isEmpty();
    }
    Map<AssignedPartition, OffsetAndMetadata> progress = progress(partitions);
    if (progress.isEmpty()) {
      return false;
    }
    last = System.nanoTime();
    inFlight = true;
    try {
      consumer.commitAsync(offsets(progress), (offsets, error) -> ended(progress, error));
    } catch (KafkaException e) {
      inFlight = false;
      throw e;
    }
    return true;
  }

  private void ended(
      Map<AssignedPartition, OffsetAndMetadata> progress, @Nullable Exception error) {
    inFlight = false;
    if (error == null) {
      progress.forEach(AssignedPartition::committed);
      failure.over();
    } else if (error instanceof RebalanceInProgressException) {
      log.debug("offsets are committed after the rebalance");
    } else {
      failure.failed(error);
    }
  }

  /** Commits progress for the last time. */
  void finish(Collection<AssignedPartition> partitions) {
    Map<AssignedPartition, OffsetAndMetadata> progress = progress(partitions);
    if (progress.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(offsets(progress), TIMEOUT);
      progress.forEach(AssignedPartition::committed);
    } catch (KafkaException e) {
      log.warn(
          "offsets of {} could not be committed: {}; messages that were handled come again, and"
              + " are found to be duplicates",
          progress.keySet(),
          ErrorText.of(e));
    }
  }

  private static Map<AssignedPartition, OffsetAndMetadata> progress(
      Collection<AssignedPartition> partitions) {
    Map<AssignedPartition, OffsetAndMetadata> progress = new HashMap<>();
    for (AssignedPartition partition : partitions) {
      @Nullable OffsetAndMetadata position = partition.progress();
      if (position != null) {
        progress.put(partition, position);
      }
    }
    return progress;
  }

  private static Map<TopicPartition, OffsetAndMetadata> offsets(
      Map<AssignedPartition, OffsetAndMetadata> progress) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    progress.forEach((partition, position) -> offsets.put(partition.name(), position));
    return offsets;
  }
}
