package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.spi.BrokerConsumer;
import dev.postcommit.testkit.broker.BrokerConsumerContract;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class KafkaEventConsumerTest extends BrokerConsumerContract {
  @Override
  protected BrokerConsumer consumer(EventConsumer handler) {
    return builder(handler).build();
  }

  private static KafkaEventConsumer.Builder builder() {
    return builder(new ScriptedConsumer(item -> Outcome.Done.PROCESSED));
  }

  private static KafkaEventConsumer.Builder builder(EventConsumer handler) {
    return KafkaEventConsumer.builder(handler).bootstrapServers("localhost:1").topics("orders");
  }

  private static void refuses(String text, UnaryOperator<KafkaEventConsumer.Builder> setting) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.apply(builder()).build())
        .withMessageContaining(text);
  }

  @Test
  void refusesInvalidSettingsWithNameAndValue() {
    refuses("no topics", builder -> builder.topics());
    refuses("topics must be different and not blank", builder -> builder.topics("orders", " "));
    refuses("[a, a]", builder -> builder.topics(List.of("a", "a")));
    refuses("group must not be blank", builder -> builder.group(" "));
    refuses("threads must be at least 1, not 0", builder -> builder.threads(0));
    refuses("batchSize must be at least 1, not 0", builder -> builder.batchSize(0));
    refuses("PT-1S", builder -> builder.closeTimeout(Duration.ofSeconds(-1)));
    refuses("enable.auto.commit", builder -> builder.property("enable.auto.commit", true));
  }

  @Test
  void goesOnTryingWhenNoConsumerCanBeMade() {
    try (KafkaEventConsumer consumer =
        builder().bootstrapServers("no-such-host.invalid:9092").build()) {
      consumer.start();
      await().until(() -> consumer.problem().isPresent());
      assertThat(consumer.running()).isTrue();
    }
  }
}
