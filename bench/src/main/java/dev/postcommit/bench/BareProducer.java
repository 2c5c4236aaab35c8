package dev.postcommit.bench;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The limit: the records of a backlog, sent by Kafka's own producer from memory. */
final class BareProducer {
  private BareProducer() {}

  static Duration run(Servers servers, int events, int bytes, int keys) {
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            servers.bootstrapServers(),
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.LINGER_MS_CONFIG,
            2,
            ProducerConfig.BATCH_SIZE_CONFIG,
            128 * 1024);
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    byte[] body = "x".repeat(bytes).getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.partitionsFor(Servers.TOPIC);
      long start = System.nanoTime();
      for (int i = 0; i < events; i++) {
        byte[] key = Integer.toString(i % keys).getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Servers.TOPIC, key, body);
        headers(record, i);
        var unused = producer.send(record, (metadata, e) -> failure.compareAndSet(null, e));
      }
      producer.flush();
      @Nullable Exception failed = failure.get();
      if (failed != null) {
        throw new IllegalStateException("the bare producer failed", failed);
      }
      return Duration.ofNanos(System.nanoTime() - start);
    }
  }

  /** As many headers as the relay sends. */
  private static void headers(ProducerRecord<byte[], byte[]> record, int i) {
    for (String name :
        new String[] {"event_id", "event_type", "aggregate_type", "aggregate_id", "created_at"}) {
      record.headers().add(name, ("00000000-0000-0000-0000-" + i).getBytes(StandardCharsets.UTF_8));
    }
  }
}
