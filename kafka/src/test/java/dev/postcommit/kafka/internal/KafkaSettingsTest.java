package dev.postcommit.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postcommit.relay.RelayConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KafkaSettingsTest {
  private static Map<String, Object> with(String name, Object value) {
    return Map.of("bootstrap.servers", "localhost:9092", name, value);
  }

  private static KafkaSettings settings(String name, Object value) {
    return KafkaSettings.of(with(name, value));
  }

  @Test
  void hasDefaultsThatSuitARelay() {
    Map<String, Object> expected = new HashMap<>();
    expected.put("bootstrap.servers", "localhost:9092");
    expected.put("client.id", "relay");
    expected.put("acks", "all");
    expected.put("enable.idempotence", true);
    expected.put("max.in.flight.requests.per.connection", 1);
    expected.put("delivery.timeout.ms", 20_000);
    expected.put("request.timeout.ms", 8_000);
    expected.put("max.block.ms", 5_000);
    expected.put("linger.ms", 0);
    expected.put("batch.size", 128 * 1024);
    expected.put("buffer.memory", 64L * 1024 * 1024);
    expected.put("key.serializer", ByteArraySerializer.class);
    expected.put("value.serializer", ByteArraySerializer.class);
    assertThat(settings("client.id", "relay").producer()).isEqualTo(expected);
  }

  @Test
  void theLongestDeliveryIsShorterThanTheLeaseOfARelay() {
    KafkaSettings settings = settings("client.id", "relay");
    assertThat(settings.deliveryTimeout()).isEqualTo(Duration.ofSeconds(20));
    assertThat(settings.maxBlock()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.longestDelivery())
        .isEqualTo(Duration.ofSeconds(28))
        .isLessThan(RelayConfig.DEFAULT.lease());
  }

  @Test
  void theLongestDeliveryFollowsTheProperties() {
    KafkaSettings settings =
        KafkaSettings.of(
            Map.of(
                "bootstrap.servers", "localhost:9092",
                "delivery.timeout.ms", "60000",
                "request.timeout.ms", "50000",
                "max.block.ms", "1000"));
    assertThat(settings.firstAnswerTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.longestDelivery()).isEqualTo(Duration.ofSeconds(1 + 30 + 50 + 3));
  }

  @Test
  void aShortDeliveryTimeoutShortensRequestsToo() {
    KafkaSettings settings = settings("delivery.timeout.ms", 3_000);
    assertThat(settings.requestTimeout()).isEqualTo(Duration.ofMillis(1_500));
    assertThat(settings.producer()).containsEntry("request.timeout.ms", 1_500);
  }

  @Test
  void theUsersPropertiesComeFirst() {
    assertThat(settings("linger.ms", "3").producer()).containsEntry("linger.ms", "3");
    assertThat(settings("compression.type", "zstd").producer())
        .containsEntry("compression.type", "zstd");
    assertThat(settings("partitioner.class", RoundRobinPartitioner.class).producer())
        .containsEntry("partitioner.class", RoundRobinPartitioner.class);
  }

  @Test
  void everyPublisherWithoutANameGetsOneOfItsOwn() {
    String one = settings("linger.ms", 1).clientId();
    String other = settings("linger.ms", 1).clientId();
    assertThat(one).startsWith("postcommit-").isNotEqualTo(other);
  }

  @Test
  void theAdminClientSharesWhatIsNotTheProducersOwn() {
    KafkaSettings settings =
        KafkaSettings.of(
            Map.of(
                "bootstrap.servers", "localhost:9092",
                "client.id", "relay",
                "security.protocol", "SSL",
                "my.callback.setting", "x",
                "batch.size", 1));
    assertThat(settings.admin())
        .isEqualTo(
            Map.of(
                "bootstrap.servers", "localhost:9092",
                "client.id", "relay-admin",
                "security.protocol", "SSL",
                "my.callback.setting", "x",
                "request.timeout.ms", 3_000,
                "default.api.timeout.ms", 3_000));
  }

  @Test
  @DisplayName("R30: properties that would break a promise are refused with name and value")
  void refusesWhatBreaksAPromise() {
    refuses("enable.idempotence", "false");
    refuses("enable.idempotence", false);
    refuses("acks", "1");
    refuses("acks", 0);
    refuses("max.in.flight.requests.per.connection", 6);
    refuses("max.in.flight.requests.per.connection", "5");
    refuses("partitioner.ignore.keys", "true");
    refuses("transactional.id", "tx");
    refuses("key.serializer", StringSerializer.class);
    refuses("value.serializer", StringSerializer.class.getName());
  }

  @Test
  void refusesWhatKafkaWouldNotUnderstand() {
    refuses("linger.ms", "soon");
    refuses("compression.type", "brotli");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaSettings.of(Map.of()))
        .withMessageContaining("bootstrap.servers");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("request.timeout.ms", 30_000))
        .withMessageContainingAll("delivery.timeout.ms (20000)", "request.timeout.ms (30000)");
  }

  @Test
  void acceptsTheFixedPropertiesWithTheirFixedValues() {
    settings("enable.idempotence", "TRUE");
    settings("acks", "-1");
    settings("acks", "all");
    settings("max.in.flight.requests.per.connection", 1);
    settings("partitioner.ignore.keys", "false");
  }

  private static void refuses(String name, Object value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(name, value))
        .withMessageContaining(name)
        .withMessageContaining(value instanceof Class<?> type ? type.getName() : value.toString());
  }
}
