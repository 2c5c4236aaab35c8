package dev.postcommit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compacted topic that stores checkpoints by transactional id.
 *
 * <p>Checkpoints name the running transactions of the database, so they may be longer than the
 * metadata that Kafka stores with the offsets of consumers.
 */
final class CheckpointTopic {
  private static final Logger log = LoggerFactory.getLogger(CheckpointTopic.class);

  static final String NAME = "postcommit-checkpoints";

  /** More than one, because readers of a partition wait for all open transactions in it. */
  private static final int PARTITIONS = 16;

  private static final Map<String, String> CONFIG =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          // A relay that begins reads all that is not compacted yet, so that should be little.
          TopicConfig.SEGMENT_BYTES_CONFIG,
          Integer.toString(4 * 1024 * 1024),
          TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
          "0.1");

  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final Map<String, Object> reader;
  private final String id;
  private final byte[] key;

  /**
   * The checkpoints of one transactional id.
   *
   * @param reader the properties of a consumer that reads what is committed
   */
  CheckpointTopic(Cluster cluster, Map<String, Object> reader, String id) {
    this.cluster = cluster;
    this.reader = reader;
    this.id = id;
    this.key = id.getBytes(UTF_8);
  }

  /** The partition of this id. Creates the topic if it is missing. */
  TopicPartition partition() {
    return new TopicPartition(NAME, Math.floorMod(id.hashCode(), partitions()));
  }

  private int partitions() {
    try {
      return cluster
          .answer(cluster.admin().describeTopics(List.of(NAME)).allTopicNames())
          .values()
          .stream()
          .mapToInt(topic -> topic.partitions().size())
          .sum();
    } catch (UnknownTopicOrPartitionException e) {
      create();
      return PARTITIONS;
    }
  }

  private void create() {
    NewTopic topic = new NewTopic(NAME, Optional.of(PARTITIONS), Optional.empty());
    try {
      cluster.answer(cluster.admin().createTopics(List.of(topic.configs(CONFIG))).all());
    } catch (TopicExistsException e) {
      // Another relay has created it.
    }
  }

  /** The record of a checkpoint. */
  ProducerRecord<byte[], byte[]> record(TopicPartition partition, String checkpoint) {
    return new ProducerRecord<>(NAME, partition.partition(), key, checkpoint.getBytes(UTF_8));
  }

  /**
   * The last checkpoint. To be read once all transactions of this id have ended. Open transactions
   * of other ids are waited for, because they may have begun before the last one of this id.
   *
   * @throws org.apache.kafka.common.KafkaException if it cannot be read now
   */
  Optional<String> read(TopicPartition partition) {
    ListOffsetsResult ends = cluster.admin().listOffsets(Map.of(partition, OffsetSpec.latest()));
    long end = cluster.answer(ends.partitionResult(partition)).offset();
    @Nullable String checkpoint = null;
    @Nullable ConsumerRecord<byte[], byte[]> deleted = null;
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(reader, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long begin = System.nanoTime();
      while (consumer.position(partition) < end) {
        if (System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new TimeoutException(
              "%s could not be read up to its end within %s; another relay's transaction may be open"
                  .formatted(partition, DurationText.spoken(PATIENCE)));
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (Arrays.equals(key, record.key())) {
            deleted = record.value() == null ? record : null;
            checkpoint = record.value() == null ? checkpoint : new String(record.value(), UTF_8);
          }
        }
      }
    }
    if (deleted != null) {
      report(deleted, checkpoint);
    }
    return Optional.ofNullable(checkpoint);
  }

  /**
   * Only relays should write checkpoints. The relay continues at the last one that exists; the mark
   * in the database tells whether that is the last one that was recorded.
   */
  private void report(ConsumerRecord<byte[], byte[]> deleted, @Nullable String checkpoint) {
    log.warn(
        "somebody has deleted the checkpoint of {}, by a record without a value at {}-{}@{}; {}. Let only relays write to {}",
        id,
        deleted.topic(),
        deleted.partition(),
        deleted.offset(),
        checkpoint == null
            ? "the cursor in the database counts, and events delivered after it was last written are delivered again"
            : "the one before it is used",
        NAME);
  }
}
