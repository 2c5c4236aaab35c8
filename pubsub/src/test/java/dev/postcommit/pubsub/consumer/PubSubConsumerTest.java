package dev.postcommit.pubsub.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.spi.BrokerConsumer;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.testkit.broker.BrokerConsumerContract;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class PubSubConsumerTest extends BrokerConsumerContract {
  @Override
  protected BrokerConsumer consumer(EventConsumer handler) {
    return bare(handler).subscription("inventory-orders").build();
  }

  private static PubSubEventConsumer.Builder bare() {
    return bare(new ScriptedConsumer(item -> Outcome.Done.PROCESSED));
  }

  private static PubSubEventConsumer.Builder bare(EventConsumer handler) {
    return PubSubEventConsumer.builder(
        handler, PubSubConnection.of("my-project").emulator("localhost:1"));
  }

  private static PubSubEventConsumer.Builder builder() {
    return bare().subscription("inventory-orders");
  }

  private static void refuses(String text, UnaryOperator<PubSubEventConsumer.Builder> setting) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.apply(builder()).build())
        .withMessageContaining(text);
  }

  @Test
  void refusesInvalidSettingsWithNameAndValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bare().build())
        .withMessageContaining("no subscription");
    refuses(
        "'projects/my-project/subscriptions/ ' is no name of a Pub/Sub subscription",
        b -> b.subscription(" "));
    refuses(
        "'projects/p/topics/orders' is no name of a Pub/Sub subscription",
        b -> b.subscription("projects/p/topics/orders"));
    refuses("'projects/my-project/topics/a b' is no name of a Pub/Sub topic", b -> b.topic("a b"));
    refuses("threads must be at least 1, not 0", b -> b.threads(0));
    refuses("batchSize must be at least 1, not 0", b -> b.batchSize(0));
    refuses("maxOutstanding must be at least 1, not -1", b -> b.maxOutstanding(-1));
    refuses("not PT9S", b -> b.ackDeadline(Duration.ofSeconds(9)));
    refuses("not PT11M", b -> b.ackDeadline(Duration.ofMinutes(11)));
    refuses("PT-1S", b -> b.closeTimeout(Duration.ofSeconds(-1)));
  }

  @Test
  void takesFullNames() {
    builder()
        .subscription("projects/other-project/subscriptions/orders")
        .topic("projects/third/topics/orders")
        .build()
        .close();
  }

  @Test
  void goesOnTryingWithoutAServer() {
    try (PubSubEventConsumer consumer = builder().build()) {
      consumer.start();
      await().until(() -> consumer.problem().isPresent());
      assertThat(consumer.running()).isTrue();
    }
  }

  @Test
  void anInterruptedCloseEndsInTheBackground() {
    PubSubEventConsumer consumer = builder().build();
    consumer.start();
    Thread.currentThread().interrupt();
    consumer.close();
    assertThat(Thread.interrupted()).isTrue();
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().contains("inventory-orders")));
  }
}
