package dev.postcommit.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What listeners of a consumer hear. */
class ConsumerListenerTest {
  private static final ReceivedMessage MESSAGE =
      new ReceivedMessage(
          "orders",
          "42",
          Map.of("event_id", "e1", "event_type", "order.placed"),
          "{}".getBytes(UTF_8));

  private final List<String> heard = new ArrayList<>();

  private final class Named implements ConsumerListener {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public Handling handling(ReceivedEvent<?> event, int attempt) {
      heard.add("%s begins %s attempt %d".formatted(name, event.id(), attempt));
      return error -> heard.add(name + " ends " + (error == null ? "well" : error.getMessage()));
    }

    @Override
    public void processed(ReceivedEvent<?> event, Duration took) {
      heard.add(name + " processed");
    }
  }

  /** A listener that cannot do what it is for. */
  private static final class Broken implements ConsumerListener {
    @Override
    public Handling handling(ReceivedEvent<?> event, int attempt) {
      if (attempt == 1) {
        throw new IllegalStateException("broken");
      }
      return error -> {
        throw new IllegalStateException("broken");
      };
    }
  }

  private EventConsumer consumer(EventHandler<String> handler) {
    return EventConsumer.builder("inventory")
        .inbox(Inbox.none())
        .on("order.placed", String.class, handler)
        .listener(new Named("one"))
        .listener(new Broken())
        .listener(new Named("two"))
        .build();
  }

  @Test
  void callsOfHandlersAreNestedInThoseOfListenersAndABrokenListenerHarmsNobody() {
    Outcome outcome = consumer(event -> heard.add("handler")).handle(MESSAGE);

    assertThat(outcome).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(heard)
        .containsExactly(
            "one begins e1 attempt 1",
            "two begins e1 attempt 1",
            "handler",
            "two ends well",
            "one ends well",
            "one processed",
            "two processed");
  }

  @Test
  void listenersHearWhatAHandlerThrew() {
    EventConsumer consumer =
        consumer(
            event -> {
              throw new IllegalStateException("no stock");
            });

    List<Outcome> outcomes = consumer.handle(List.of(new WorkItem(MESSAGE, null, 2)));

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Retry.class);
    assertThat(heard)
        .containsExactly(
            "one begins e1 attempt 2",
            "two begins e1 attempt 2",
            "two ends no stock",
            "one ends no stock");
  }
}
