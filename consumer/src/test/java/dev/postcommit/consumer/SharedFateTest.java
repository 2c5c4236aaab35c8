package dev.postcommit.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two messages of one event that are given together, with different keys. */
class SharedFateTest {
  private final List<String> handled = new ArrayList<>();
  private boolean fails = true;

  private final EventConsumer consumer =
      EventConsumer.builder("inventory")
          .inbox(Inbox.none())
          .on(
              "order.placed",
              String.class,
              event -> {
                if (fails && event.id().equals("e1")) {
                  throw new IllegalStateException("not yet");
                }
                handled.add(event.id());
              })
          .build();

  private static WorkItem attempt(String id, String key) {
    Map<String, String> headers = Map.of("event_id", id, "event_type", "order.placed");
    return new WorkItem(
        new ReceivedMessage("orders", key, headers, "{}".getBytes(UTF_8), Map.of()), key, 1);
  }

  /** R40. */
  @Test
  void aCopyThatWaitsHoldsBackItsOwnKey() {
    List<Outcome> outcomes =
        consumer.handle(
            List.of(
                attempt("e1", "a"), attempt("e1", "b"), attempt("e2", "b"), attempt("e3", "c")));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Retry.class);
    assertThat(outcomes.subList(1, 4))
        .containsExactly(Outcome.HELD, Outcome.HELD, Outcome.Done.PROCESSED);
    assertThat(handled).containsExactly("e3");
  }

  /** R44. */
  @Test
  void aCopyOfWhatIsHandledIsADuplicate() {
    fails = false;
    List<Outcome> outcomes =
        consumer.handle(List.of(attempt("e1", "a"), attempt("e1", "b"), attempt("e2", "b")));

    assertThat(outcomes)
        .containsExactly(Outcome.Done.PROCESSED, Outcome.Done.DUPLICATE, Outcome.HELD);
    assertThat(consumer.handle(attempt("e2", "b").message())).isEqualTo(Outcome.Done.PROCESSED);
  }
}
