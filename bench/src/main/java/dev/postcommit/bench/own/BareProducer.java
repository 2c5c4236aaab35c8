package dev.postcommit.bench.own;

import dev.postcommit.bench.contender.BenchEvent;
import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.AppInfoParser;
import org.jspecify.annotations.Nullable;

/**
 * The limit of sending: events sent by Kafka's own producer from memory, those of a backlog at
 * once, the others when their transactions are committed. Nothing is kept of them: what a writer
 * does not come to send is lost.
 */
final class BareProducer implements Contender {
  private static final int BACKLOG_LINGER_MILLIS = 2;

  private final Environment environment;
  private final List<BenchEvent> backlog = new ArrayList<>();
  private volatile @Nullable KafkaProducer<byte[], byte[]> producer;
  private @Nullable Thread sender;

  BareProducer(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Environment environment() {
    return environment;
  }

  private KafkaProducer<byte[], byte[]> producer(int lingerMillis) {
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            environment.bootstrapServers(),
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.LINGER_MS_CONFIG,
            lingerMillis,
            ProducerConfig.BATCH_SIZE_CONFIG,
            128 * 1024);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Description description() {
    return new Description(
        "kafka-clients " + AppInfoParser.getVersion(),
        Map.of(
            "acks", "all",
            "linger.ms", "%d for a backlog, else 0".formatted(BACKLOG_LINGER_MILLIS),
            "batch.size", "131072",
            "headers", "five, as a relay sends",
            "events", "sent from memory, under load when their transactions are committed"));
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
  public void inTransaction(Body body) throws Exception {
    List<BenchEvent> written = new ArrayList<>();
    Transactions.run(
        environment.dataSource(),
        body,
        connection -> written::addAll,
        () -> written.forEach(this::send));
  }

  @Override
  public void fill(List<BenchEvent> events) {
    backlog.addAll(events);
  }

  @Override
  public void start() {
    producer = producer(backlog.isEmpty() ? 0 : BACKLOG_LINGER_MILLIS);
    sender = new Thread(() -> backlog.forEach(this::send), "sender");
    sender.start();
  }

  private void send(BenchEvent event) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(environment.topic(), bytes(event.key()), bytes(event.body()));
    for (String name :
        List.of("event_id", "event_type", "aggregate_type", "aggregate_id", "created_at")) {
      record.headers().add(name, bytes("00000000-0000-0000-0000-" + event.number()));
    }
    var unused = Objects.requireNonNull(producer).send(record);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void stop() throws InterruptedException {
    if (sender != null) {
      sender.join();
    }
    if (producer != null) {
      producer.close();
    }
  }

  @Override
  public long dead() {
    return 0;
  }
}
