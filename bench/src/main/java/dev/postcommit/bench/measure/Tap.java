package dev.postcommit.bench.measure;

import dev.postcommit.bench.contender.BenchEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer that records when each event of a run arrives, from its start on. */
public final class Tap implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final byte[] run;
  private final Arrivals arrivals;
  private final Thread thread = new Thread(this::consume, "tap");
  private volatile boolean closed;

  public Tap(String bootstrapServers, String topic, int run, IntPredicate expected) {
    this.run = ("\"" + BenchEvent.name(run)).getBytes(StandardCharsets.ISO_8859_1);
    this.arrivals = new Arrivals(expected);
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                5_000),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    thread.setDaemon(true);
    thread.start();
  }

  public Arrivals arrivals() {
    return arrivals;
  }

  private void consume() {
    try (consumer) {
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          int n = number(message.value(), run);
          if (n >= 0) {
            arrivals.add(n, System.nanoTime());
          }
        }
      }
    }
  }

  /** Returns the number after {@code start}, which is near the beginning of a body, or -1. */
  static int number(byte[] body, byte[] start) {
    int limit = Math.min(64, body.length - start.length);
    for (int from = 0; from < limit; from++) {
      if (matches(body, from, start)) {
        int n = 0;
        for (int i = from + start.length; i < body.length && isDigit(body[i]); i++) {
          n = n * 10 + body[i] - '0';
        }
        return n;
      }
    }
    return -1;
  }

  private static boolean matches(byte[] body, int from, byte[] start) {
    for (int i = 0; i < start.length; i++) {
      if (body[from + i] != start[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
