package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KafkaPublisherTest {
  @Test
  @DisplayName("R30: building needs no broker and starts no thread")
  void buildingDoesNothing() {
    try (Publisher publisher =
        KafkaPublisher.builder()
            .bootstrapServers("no-such-host.invalid:9092")
            .clientId("built-only")
            .build()) {
      assertThat(publisher.keepsOrder()).isTrue();
      assertThat(publisher.deliveryTimeout()).isEqualTo(Duration.ofSeconds(28));
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.getName().contains("built-only"));
    }
  }

  @Test
  void buildingRefusesWhatCannotWork() {
    KafkaPublisher.Builder builder =
        KafkaPublisher.builder().properties(Map.of("bootstrap.servers", "localhost:9092"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.property("acks", "1").build())
        .withMessage("acks must be all, not 1: the promised order or delivery depends on it");
  }
}
