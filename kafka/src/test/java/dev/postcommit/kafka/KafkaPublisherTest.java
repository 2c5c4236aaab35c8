package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.TransactionalPublisher;
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

  @Test
  @SuppressWarnings("try") // not used
  void aTransactionalPublisherIsForLogs() {
    KafkaPublisher.Builder builder = KafkaPublisher.builder().bootstrapServers("localhost:9092");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.buildTransactional(" "))
        .withMessage("transactionalId must not be blank");
    try (TransactionalPublisher publisher = builder.buildTransactional("orders");
        HikariDataSource dataSource = new HikariDataSource();
        Relay relay = Relay.builder(dataSource, publisher).layout(Layout.log()).build()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Relay.builder(dataSource, publisher).build())
          .withMessageStartingWith("the publisher is transactional, but the native layout");
    }
  }
}
