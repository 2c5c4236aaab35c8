package dev.postcommit.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happens to events of a type without a handler. */
class UnknownTypesTest {
  private final List<String> handled = new ArrayList<>();

  private EventConsumer consumer(UnknownTypes policy) {
    return EventConsumer.builder("inventory")
        .inbox(Inbox.none())
        .unknownTypes(policy)
        .on("order.placed", String.class, event -> handled.add(event.id()))
        .build();
  }

  private static WorkItem item(String id, String type, String key) {
    Map<String, String> headers = Map.of("event_id", id, "event_type", type);
    return new WorkItem(
        new ReceivedMessage("orders", key, headers, "{}".getBytes(UTF_8), Map.of()), key, 1);
  }

  private List<Outcome> outcomes(UnknownTypes policy) {
    return consumer(policy)
        .handle(
            List.of(
                item("e1", "order.shipped", "a"),
                item("e2", "order.placed", "a"),
                item("e3", "order.placed", "b")));
  }

  @Test
  void theyAreIgnored() {
    assertThat(outcomes(UnknownTypes.IGNORE))
        .containsExactly(Outcome.Done.IGNORED, Outcome.Done.PROCESSED, Outcome.Done.PROCESSED);
  }

  @Test
  void theyAreDeadLetters() {
    assertThat(outcomes(UnknownTypes.DEAD_LETTER).get(0)).isInstanceOf(Outcome.Dead.class);
    assertThat(handled).containsExactly("e2", "e3");
  }

  @Test
  void theyWaitAndHoldBackTheirKey() {
    List<Outcome> outcomes = outcomes(UnknownTypes.FAIL);

    assertThat(outcomes.get(0))
        .isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.counts()).isFalse());
    assertThat(outcomes.subList(1, 3)).containsExactly(Outcome.HELD, Outcome.Done.PROCESSED);
    assertThat(handled).containsExactly("e3");
  }
}
