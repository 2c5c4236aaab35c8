package dev.postcommit.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.testkit.process.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class KafkaServerIT {

  @Test
  void theSharedBrokerIsOneAndOutlivesItsClosing() throws Exception {
    KafkaServer server = KafkaServer.shared();
    server.close();
    server.createTopic("shared", 3);

    assertThat(KafkaServer.shared()).isSameAs(server);
    try (Producer<String, String> producer = producer(server)) {
      producer.send(new ProducerRecord<>("shared", "key", "value")).get();
    }
    assertThat(consume(server, "shared", 1)).containsExactly("value");
  }

  @Test
  void topicsAreNotCreatedByUse() {
    try (Producer<String, String> producer = producer(KafkaServer.shared())) {
      Future<RecordMetadata> send = producer.send(new ProducerRecord<>("missing", "value"));

      assertThatThrownBy(send::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(TimeoutException.class);
    }
  }

  @Test
  void aTopicHasThePartitionsAndConfigsAskedFor() throws Exception {
    KafkaServer server = KafkaServer.shared();
    server.createTopic("configured", 5, Map.of("max.message.bytes", "1000"));

    try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()));
        Producer<String, String> producer = producer(server)) {
      var description = admin.describeTopics(List.of("configured")).allTopicNames().get();
      assertThat(description.get("configured").partitions()).hasSize(5);
      Future<RecordMetadata> send =
          producer.send(new ProducerRecord<>("configured", "x".repeat(2_000)));
      assertThatThrownBy(send::get).hasCauseInstanceOf(RecordTooLargeException.class);
    }
  }

  @Test
  void whatWasSentSurvivesStopsKillsAndFreezes() throws Exception {
    try (KafkaServer server = KafkaServer.builder().autoCreateTopics(true).start();
        Producer<String, String> producer = producer(server)) {
      producer.send(new ProducerRecord<>("t", "created by use")).get();

      server.kill();
      assertThat(Ports.listening(port(server))).isFalse();
      server.restart();
      producer.send(new ProducerRecord<>("t", "after the kill")).get();

      server.stop();
      server.restart();
      producer.send(new ProducerRecord<>("t", "after the stop")).get();

      server.freeze();
      Future<RecordMetadata> send = producer.send(new ProducerRecord<>("t", "while frozen"));
      assertThatThrownBy(() -> send.get(500, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      server.thaw();
      send.get();

      assertThat(consume(server, "t", 4))
          .containsExactly("created by use", "after the kill", "after the stop", "while frozen");
    }
  }

  @Test
  void aSettingKafkaRefusesIsShownWithItsLog() {
    KafkaServer.Builder builder = KafkaServer.builder().setting("num.io.threads", "many");

    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("num.io.threads");
  }

  private static int port(KafkaServer server) {
    return Integer.parseInt(server.bootstrapServers().split(":")[1]);
  }

  private static Producer<String, String> producer(KafkaServer server) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers", server.bootstrapServers(),
            "max.block.ms", "2000",
            "request.timeout.ms", "1500",
            "delivery.timeout.ms", "20000",
            "reconnect.backoff.max.ms", "100"),
        new StringSerializer(),
        new StringSerializer());
  }

  private static List<String> consume(KafkaServer server, String topic, int count) {
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                server.bootstrapServers(),
                "group.id",
                "group-" + topic,
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      Awaitility.await()
          .pollInSameThread()
          .pollInterval(Duration.ZERO)
          .pollDelay(Duration.ZERO)
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
                return values.size() >= count;
              });
    }
    return values;
  }
}
