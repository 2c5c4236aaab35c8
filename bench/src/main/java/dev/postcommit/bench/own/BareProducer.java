package dev.postcommit.bench.own;

import dev.postcommit.bench.contender.BenchEvent;
import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.AppInfoParser;
import org.jspecify.annotations.Nullable;

/** The limit of sending: the events of a backlog, sent by Kafka's own producer from memory. */
final class BareProducer implements Contender {
  private final Environment environment;
  private final List<BenchEvent> backlog = new ArrayList<>();
  private @Nullable Thread sender;

  BareProducer(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Environment environment() {
    return environment;
  }

  private Map<String, Object> producer() {
    return Map.of(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        environment.bootstrapServers(),
        ProducerConfig.ACKS_CONFIG,
        "all",
        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
        true,
        ProducerConfig.LINGER_MS_CONFIG,
        2,
        ProducerConfig.BATCH_SIZE_CONFIG,
        128 * 1024);
  }

  @Override
  public Description description() {
    return new Description(
        "kafka-clients " + AppInfoParser.getVersion(),
        Map.of(
            "acks", "all",
            "linger.ms", "2",
            "batch.size", "131072",
            "headers", "five, as a relay sends"));
  }

  @Override
  public void create() {}

  @Override
  public List<String> tables() {
    return List.of();
  }

  @Override
  public void reset() {
    backlog.clear();
  }

  @Override
  public void inTransaction(Body body) {
    throw new UnsupportedOperationException("it has no transactions");
  }

  @Override
  public void fill(List<BenchEvent> events) {
    backlog.addAll(events);
  }

  @Override
  public void start() {
    sender = new Thread(this::send, "sender");
    sender.start();
  }

  private void send() {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(producer(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (BenchEvent event : backlog) {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(environment.topic(), bytes(event.key()), bytes(event.body()));
        for (String name :
            List.of("event_id", "event_type", "aggregate_type", "aggregate_id", "created_at")) {
          record.headers().add(name, bytes("00000000-0000-0000-0000-" + event.number()));
        }
        var unused = producer.send(record);
      }
      producer.flush();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void stop() throws InterruptedException {
    if (sender != null) {
      sender.join();
    }
  }

  @Override
  public long dead() {
    return 0;
  }
}
