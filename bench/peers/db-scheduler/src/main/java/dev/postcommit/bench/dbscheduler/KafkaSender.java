package dev.postcommit.bench.dbscheduler;

import dev.postcommit.bench.contender.Environment;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;

/** Sends events to Kafka and waits for each to be acknowledged by all replicas. */
final class KafkaSender implements AutoCloseable {
  static final int LINGER_MILLIS = 0;

  private final Producer<String, String> producer;
  private final String topic;

  KafkaSender(Environment environment) {
    producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                environment.bootstrapServers(),
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                LINGER_MILLIS),
            new StringSerializer(),
            new StringSerializer());
    topic = environment.topic();
  }

  void send(Message message) {
    try {
      producer.send(new ProducerRecord<>(topic, message.key(), message.body())).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted", e);
    } catch (ExecutionException e) {
      throw new KafkaException("not sent", e.getCause());
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
