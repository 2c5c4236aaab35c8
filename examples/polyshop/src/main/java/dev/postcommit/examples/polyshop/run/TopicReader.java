package dev.postcommit.examples.polyshop.run;

import dev.postcommit.examples.polyshop.audit.ShopEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads topics from their beginning, and what services have not read of them. */
final class TopicReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Admin admin;

  TopicReader(String bootstrapServers) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest",
            "fetch.max.wait.ms",
            100);
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  /** All messages of the topics of some names, in the order of each key. */
  List<ShopEvent> read(Predicate<String> names) {
    List<TopicPartition> partitions = new ArrayList<>();
    consumer
        .listTopics()
        .forEach(
            (topic, infos) -> {
              if (names.test(topic)) {
                infos.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
              }
            });
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<ShopEvent> events = new ArrayList<>();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      consumer.poll(POLL).forEach(record -> events.add(event(record)));
    }
    return events;
  }

  private static ShopEvent event(ConsumerRecord<byte[], byte[]> record) {
    return ShopEvent.of(record.topic(), text(record.key()), text(record.value()));
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  /** How many messages some consumer groups have not read, of the topics that they read. */
  long unread(List<String> groups) throws InterruptedException {
    long unread = 0;
    for (String group : groups) {
      Map<TopicPartition, OffsetAndMetadata> offsets = offsets(group);
      Map<TopicPartition, Long> ends = consumer.endOffsets(offsets.keySet());
      for (Map.Entry<TopicPartition, OffsetAndMetadata> read : offsets.entrySet()) {
        unread += ends.getOrDefault(read.getKey(), 0L) - read.getValue().offset();
      }
    }
    return unread;
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets(String group) throws InterruptedException {
    try {
      return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("could not ask for the offsets of " + group, e.getCause());
    }
  }

  @Override
  public void close() {
    consumer.close();
    admin.close();
  }
}
