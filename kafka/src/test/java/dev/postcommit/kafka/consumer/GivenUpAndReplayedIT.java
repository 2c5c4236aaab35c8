package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.kafka.deadletter.KafkaDeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.store.Decision;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An event's way from a consumer to its dead letter and back (R39). */
class GivenUpAndReplayedIT {
  private final KafkaServer kafka = KafkaServer.shared();
  private final List<ReceivedEvent<String>> handled = new CopyOnWriteArrayList<>();
  private final AtomicBoolean repaired = new AtomicBoolean();

  /** R39, R32: the service that sent it knows no headers. */
  @Test
  void anEventThatWasGivenUpIsHandledWhenItIsReplayed() {
    String body =
        "{\"eventId\":\"e1\",\"timestamp\":\"2026-03-04T05:06:07Z\",\"eventType\":\"order.placed\",\"version\":1,\"source\":\"orders\",\"data\":{\"total\": 10.00}}";
    try (ConsumedTopic topic = new ConsumedTopic(kafka, 2)) {
      EventConsumer inventory =
          EventConsumer.builder("inventory-" + topic.name())
              .inbox(Inbox.none())
              .on("order.placed", String.class, this::handle)
              .build();
      topic.send(1, "42", body);
      topic.flush();
      try (KafkaEventConsumer consumer = topic.consumer(inventory).build();
          KafkaDeadLetters letters =
              KafkaDeadLetters.open(
                  Map.of("bootstrap.servers", kafka.bootstrapServers()), topic.name() + ".dlt")) {
        consumer.start();
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> topic.committed(inventory, 1), committed -> committed == 1);
        KafkaDeadLetter letter =
            letters.read(letters.find(KafkaDeadLetterFilter.all(), false)).get(0);
        assertThat(letter.content().eventType()).isEqualTo("order.placed");
        assertThat(letter.content().errorMessage()).contains("no stock");
        repaired.set(true);

        letters.replay(List.of(letter.ref()), new Decision("ada", null));

        await().atMost(Duration.ofSeconds(30)).until(() -> handled.size() == 1);
        ReceivedEvent<String> event = handled.get(0);
        assertThat(event.data()).isEqualTo("{\"total\": 10.00}");
        assertThat(event.key()).isEqualTo("42");
        assertThat(event.headers()).isEmpty();
        assertThat(event.message().origin()).containsEntry("partition", "1");
        assertThat(letters.find(KafkaDeadLetterFilter.all(), false)).isEmpty();
      }
    }
  }

  private void handle(ReceivedEvent<String> event) {
    if (!repaired.get()) {
      throw new PermanentFailureException("no stock");
    }
    handled.add(event);
  }
}
