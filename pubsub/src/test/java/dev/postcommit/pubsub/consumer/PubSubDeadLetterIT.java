package dev.postcommit.pubsub.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.contract.ObservedConsumer;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubServer;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages that are given up, and where they go. */
class PubSubDeadLetterIT {
  private final PubSubServer server = PubSubServer.shared();
  private final PubSubConsumerStage stage = new PubSubConsumerStage(server);
  private final PubSubProxy proxy = PubSubProxy.before(server);
  private final ObservedConsumer observed = new ObservedConsumer();
  private final List<String> handled = new CopyOnWriteArrayList<>();

  private record Order(int number) {}

  @AfterEach
  void close() {
    proxy.close();
    stage.close();
  }

  private EventConsumer events() {
    return EventConsumer.builder("inventory-service")
        .inbox(Inbox.none())
        .retryPolicy(new RetryPolicy(3, Duration.ofMillis(5), Duration.ofMillis(20)))
        .listener(observed)
        .on(
            "order.placed",
            String.class,
            event -> {
              if (event.data().contains("poison")) {
                throw new PermanentFailureException("no such product");
              } else if (event.data().contains("sick")) {
                throw new IllegalStateException("no network");
              }
              handled.add(event.id());
            })
        .build();
  }

  private static PubsubMessage event(String key, String id, String data) {
    return PubSubConsumerStage.event(key, id, "order.placed", data);
  }

  private static DeadLetterContent read(Message letter) {
    return DeadLetterContent.read(
        new ReceivedMessage(letter.topic(), letter.key(), letter.headers(), letter.body()));
  }

  @Test
  @DisplayName("R39: what fails for good, or too often, goes to a topic with a subscription")
  void deadLettersAreKept() {
    stage.publish(
        List.of(
            event("a", "1", "{\"poison\":1}"),
            event("a", "2", "{}"),
            event("b", "3", "{\"sick\":1}"),
            event("b", "4", "{}")));
    try (PubSubEventConsumer consumer = stage.consumer(events()).threads(2).build()) {
      consumer.start();
      await().until(() -> handled.size() == 2 && consumer.pending() == 0);
      assertThat(consumer.problem()).isEmpty();
    }
    assertThat(observed.retries()).containsExactly("3", "3");
    assertThat(stage.unacknowledged(0)).isEmpty();

    List<Message> letters = stage.letters(2);
    assertThat(letters).hasSize(2);
    Message poison = letters.get(letters.get(0).key().equals("a") ? 0 : 1);
    assertThat(poison.headers())
        .containsEntry("event_id", "1")
        .containsEntry("dlt_original_topic", stage.name())
        .containsEntry("dlt_original_subscription", stage.name())
        .containsKeys("dlt_original_message_id", "dlt_original_publish_time")
        .containsEntry("dlt_original_encoding", "json")
        .containsEntry("dlt_error_class", PermanentFailureException.class.getName())
        .containsEntry("dlt_attempts", "1")
        .containsEntry("dlt_consumer", "inventory-service");
    DeadLetterContent content = read(poison);
    assertThat(content.eventId()).isEqualTo("1");
    assertThat(content.original()).isEqualTo("{\"poison\":1}".getBytes(UTF_8));
    assertThat(content.errorMessage()).isEqualTo("no such product");
    assertThat(content.originalHeaders())
        .isEqualTo(Map.of("event_id", "1", "event_type", "order.placed"));
    DeadLetterContent sick = read(letters.get(letters.get(0).key().equals("a") ? 1 : 0));
    assertThat(sick.eventId()).isEqualTo("3");
    assertThat(sick.attempts()).isEqualTo(3);
  }

  @Test
  @DisplayName("R39: while a letter is not taken its key waits, and nothing is acknowledged")
  void aDeadLetterThatIsNotTakenIsKept() {
    PubSubProxy.Fault fault = proxy.fail(request -> true, Status.PERMISSION_DENIED);
    stage.publish(
        List.of(event("a", "1", "{\"poison\":1}"), event("a", "2", "{}"), event("b", "3", "{}")));
    try (PubSubEventConsumer consumer =
        stage.consumer(events(), proxy.emulatorHost()).batchSize(1).build()) {
      consumer.start();
      await().until(() -> fault.count() >= 3 && !handled.isEmpty());
      assertThat(handled).containsExactly("3");
      assertThat(consumer.pending()).isEqualTo(2);
      assertThat(consumer.problem().orElse(""))
          .contains("PERMISSION_DENIED", server.topicName(stage.name() + ".dlt"))
          .contains("grant roles/pubsub.publisher");
      assertThat(observed.dead()).hasSize(1);
      fault.end();
      await().until(() -> handled.size() == 2 && consumer.pending() == 0);
      assertThat(consumer.problem()).isEmpty();
    }
    assertThat(stage.letters(1)).hasSize(1);
    assertThat(stage.unacknowledged(0)).isEmpty();
  }

  @Test
  void aTopicWithoutASubscriptionGetsOne() {
    server.createTopic(stage.name() + ".dlt");
    stage.publish(List.of(event("a", "1", "{\"poison\":1}")));
    try (PubSubEventConsumer consumer = stage.consumer(events()).build()) {
      consumer.start();
      await().until(() -> observed.dead().size() == 1 && consumer.pending() == 0);
    }
    assertThat(stage.letters(1)).hasSize(1);
  }

  @Test
  void aTopicThatMayNotBeLookedAtGetsDeadLetters() {
    server.createTopic(stage.name() + ".dlt");
    server.createSubscription(stage.name() + ".dlt", stage.name() + ".dlt");
    PubSubProxy.Fault fault =
        proxy.fail("google.pubsub.v1.Publisher/GetTopic", Status.PERMISSION_DENIED);
    stage.publish(List.of(event("a", "1", "{\"poison\":1}")));
    try (PubSubEventConsumer consumer = stage.consumer(events(), proxy.emulatorHost()).build()) {
      consumer.start();
      await().until(() -> observed.dead().size() == 1 && consumer.pending() == 0);
    }
    assertThat(fault.count()).isEqualTo(1);
    assertThat(stage.letters(1)).hasSize(1);
  }

  @Test
  void aDeadLetterThatIsTooLargeIsSentWithoutTheBody() {
    byte[] large = new byte[8_000_000];
    large[0] = (byte) 0xff;
    stage.publish(
        List.of(event("a", "1", "{}").toBuilder().setData(ByteString.copyFrom(large)).build()));
    EventConsumer events =
        EventConsumer.builder("inventory-service")
            .inbox(Inbox.none())
            .listener(observed)
            .on("order.placed", Order.class, event -> handled.add(event.id()))
            .build();
    try (PubSubEventConsumer consumer = stage.consumer(events).build()) {
      consumer.start();
      await().until(() -> observed.dead().size() == 1 && consumer.pending() == 0);
    }
    Message letter = stage.letters(1).get(0);
    assertThat(letter.headers()).containsEntry("dlt_original_encoding", "omitted");
    assertThat(read(letter).kept()).isEqualTo(DeadLetterContent.Kept.OMITTED);
  }
}
