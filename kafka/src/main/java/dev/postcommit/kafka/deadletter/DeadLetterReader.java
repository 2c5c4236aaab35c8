package dev.postcommit.kafka.deadletter;

import dev.postcommit.PostcommitException;
import dev.postcommit.kafka.internal.ClientErrors;
import dev.postcommit.kafka.internal.ListenerProbe;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads topics, one partition after the other, up to an end that is known from the start. */
final class DeadLetterReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Receives the records that were read. */
  @FunctionalInterface
  interface Reader {

    /** Takes records that follow one another in one partition. */
    void read(List<ConsumerRecord<byte[], byte[]>> records);
  }

  private final Consumer<byte[], byte[]> consumer;
  private final String address;
  private final ListenerProbe listener;

  DeadLetterReader(DeadLetterClients clients) {
    this.consumer = clients.newConsumer();
    this.address = String.valueOf(clients.consumer().get("bootstrap.servers"));
    this.listener = new ListenerProbe(clients.consumer());
  }

  /** How many partitions a topic has; none if it does not exist. */
  int partitions(String topic) {
    return asked(
        () -> {
          @Nullable List<PartitionInfo> found = consumer.partitionsFor(topic);
          return found == null ? 0 : found.size();
        });
  }

  /** Where each partition of a topic ends now. */
  Map<Integer, Long> ends(String topic) {
    List<TopicPartition> partitions =
        IntStream.range(0, partitions(topic))
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    if (partitions.isEmpty()) {
      throw new PostcommitException(
          "topic %s does not exist; a dead-letter topic is named after the topic that was read, and .dlt"
              .formatted(topic));
    }
    Map<Integer, Long> ends = new TreeMap<>();
    asked(() -> consumer.endOffsets(partitions))
        .forEach((partition, end) -> ends.put(partition.partition(), end));
    return ends;
  }

  /** Reads a partition from one offset up to, and not including, another. */
  void read(TopicPartition partition, long from, long to, Reader reader) {
    asked(
        () -> {
          consumer.assign(List.of(partition));
          long begin = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
          consumer.seek(partition, Math.max(begin, from));
          return begin;
        });
    long progress = System.nanoTime();
    while (asked(() -> consumer.position(partition)) < to) {
      ConsumerRecords<byte[], byte[]> polled = asked(() -> consumer.poll(POLL));
      List<ConsumerRecord<byte[], byte[]>> records =
          polled.records(partition).stream().filter(record -> record.offset() < to).toList();
      if (!records.isEmpty()) {
        reader.read(records);
        progress = System.nanoTime();
      } else if (System.nanoTime() - progress > PATIENCE.toNanos()) {
        throw new PostcommitException(
            "nothing came from %s within %s; is Kafka overloaded, or a partition without leader?"
                .formatted(partition, DurationText.spoken(PATIENCE)));
      }
    }
  }

  /** The record at an offset, or null if there is none. */
  @Nullable ConsumerRecord<byte[], byte[]> find(TopicPartition partition, long offset) {
    if (partition.partition() >= partitions(partition.topic())
        || asked(() -> consumer.endOffsets(List.of(partition))).getOrDefault(partition, 0L)
            <= offset) {
      return null;
    }
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    read(partition, offset, offset + 1, found::addAll);
    return found.isEmpty() || found.get(0).offset() != offset ? null : found.get(0);
  }

  private <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (InterruptException e) {
      Thread.currentThread().interrupt();
      throw new PostcommitException("interrupted while reading from Kafka", e);
    } catch (TimeoutException e) {
      String reason = listener.reason().orElseGet(() -> ClientErrors.text(e));
      throw new PostcommitException(
          "Kafka at %s does not answer: %s".formatted(address, reason), e);
    } catch (KafkaException e) {
      throw new PostcommitException(
          "Kafka at %s does not answer, or refuses to: %s".formatted(address, ClientErrors.text(e)),
          e);
    }
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
  }
}
