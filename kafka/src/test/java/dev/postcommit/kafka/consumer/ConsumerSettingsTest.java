package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

class ConsumerSettingsTest {
  private static ConsumerSettings settings(String name, Object value) {
    return ConsumerSettings.of("group", Map.of("bootstrap.servers", "localhost:9092", name, value));
  }

  @Test
  void hasDefaultsThatSuitAConsumerOfEvents() {
    ConsumerSettings settings = settings("client.id", "me");
    assertThat(settings.group()).isEqualTo("group");
    assertThat(settings.patience()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.longestSilence()).isEqualTo(Duration.ofSeconds(15));
    assertThat(settings.longestRebalance()).isEqualTo(Duration.ofSeconds(50));
    assertThat(settings.consumer())
        .isEqualTo(
            Map.of(
                "bootstrap.servers",
                "localhost:9092",
                "client.id",
                "me",
                "group.id",
                "group",
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest",
                "partition.assignment.strategy",
                CooperativeStickyAssignor.class.getName(),
                "key.deserializer",
                ByteArrayDeserializer.class,
                "value.deserializer",
                ByteArrayDeserializer.class));
  }

  @Test
  void theUsersPropertiesComeFirst() {
    assertThat(settings("auto.offset.reset", "latest").consumer())
        .containsEntry("auto.offset.reset", "latest");
    String assignor = RoundRobinAssignor.class.getName();
    assertThat(settings("partition.assignment.strategy", assignor).consumer())
        .containsEntry("partition.assignment.strategy", assignor);
    assertThat(settings("max.poll.interval.ms", "2000").patience())
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(settings("group.protocol", "CONSUMER").consumer())
        .doesNotContainKey("partition.assignment.strategy");
  }

  @Test
  void silenceIsNoProblemAsLongAsOtherPropertiesAllowIt() {
    assertThat(settings("heartbeat.interval.ms", 5_000).longestSilence())
        .isEqualTo(Duration.ofSeconds(20));
    assertThat(settings("fetch.max.wait.ms", 5_000).longestSilence())
        .isEqualTo(Duration.ofSeconds(20));
    assertThat(settings("session.timeout.ms", 60_000).longestRebalance())
        .isEqualTo(Duration.ofSeconds(65));
    assertThat(settings("session.timeout.ms", 6_000).longestRebalance())
        .isEqualTo(Duration.ofSeconds(35));
    assertThat(settings("heartbeat.interval.ms", 15_000).longestRebalance())
        .isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void theClientsForDeadLettersShareWhatIsNotTheConsumersOwn() {
    ConsumerSettings settings =
        ConsumerSettings.of(
            "group",
            Map.of(
                "bootstrap.servers", "localhost:9092",
                "security.protocol", "SSL",
                "my.callback.setting", "x",
                "interceptor.classes", "",
                "request.timeout.ms", 60_000,
                "max.poll.records", 1));
    Map<String, Object> producer = new HashMap<>();
    producer.put("bootstrap.servers", "localhost:9092");
    producer.put("security.protocol", "SSL");
    producer.put("my.callback.setting", "x");
    producer.put("client.id", "group-dead-letters");
    producer.put("acks", "all");
    producer.put("enable.idempotence", true);
    producer.put("max.in.flight.requests.per.connection", 1);
    producer.put("linger.ms", 0);
    producer.put("delivery.timeout.ms", 8_000);
    producer.put("request.timeout.ms", 4_000);
    producer.put("max.block.ms", 5_000);
    producer.put("max.request.size", 64 * 1024 * 1024);
    producer.put("buffer.memory", 64L * 1024 * 1024);
    producer.put("key.serializer", ByteArraySerializer.class);
    producer.put("value.serializer", ByteArraySerializer.class);
    assertThat(settings.producer()).isEqualTo(producer);
    assertThat(settings.admin())
        .isEqualTo(
            Map.of(
                "bootstrap.servers", "localhost:9092",
                "security.protocol", "SSL",
                "my.callback.setting", "x",
                "client.id", "group-admin",
                "request.timeout.ms", 5_000,
                "default.api.timeout.ms", 5_000));
  }

  @Test
  void refusesWhatBreaksAPromise() {
    refuses("enable.auto.commit", "true");
    refuses("enable.auto.commit", true);
    refuses("group.id", "other");
    refuses("key.deserializer", StringDeserializer.class);
    refuses("value.deserializer", StringDeserializer.class.getName());
    settings("enable.auto.commit", "FALSE");
  }

  @Test
  void refusesWhatKafkaWouldNotUnderstand() {
    refuses("max.poll.records", "many");
    refuses("auto.offset.reset", "now");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConsumerSettings.of("group", Map.of()))
        .withMessageContaining("bootstrap.servers");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConsumerSettings.of(" ", Map.of("bootstrap.servers", "localhost:9092")))
        .withMessageContaining("group");
  }

  private static void refuses(String name, Object value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(name, value))
        .withMessageContaining(name)
        .withMessageContaining(value instanceof Class<?> type ? type.getName() : value.toString());
  }
}
