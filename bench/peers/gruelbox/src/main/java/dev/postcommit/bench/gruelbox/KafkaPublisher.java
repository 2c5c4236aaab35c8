package dev.postcommit.bench.gruelbox;

import dev.postcommit.bench.contender.Environment;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Sends events to Kafka and waits for each to be acknowledged by all replicas. */
final class KafkaPublisher implements Publisher, AutoCloseable {
  static final int LINGER_MILLIS = 0;

  private final Producer<String, String> producer;
  private final String topic;

  KafkaPublisher(Environment environment) {
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

  @Override
  public void publish(String key, String body) throws InterruptedException, ExecutionException {
    producer.send(new ProducerRecord<>(topic, key, body)).get();
  }

  @Override
  public void close() {
    producer.close();
  }
}
