package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.layout.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Publishers that keep order themselves, and get a batch as a whole. */
@SuppressWarnings("try") // a relay works without being spoken to
class HandoverIT extends RelayFixture {

  @Test
  @DisplayName("a batch is handed over as a whole, and nothing is sent before its end")
  void aBatchIsHandedOverAsAWhole() {
    List<String> ids = enqueue("a", 7);
    Collecting collecting = new Collecting(message -> Delivery.DELIVERED);

    try (Relay relay = started(relay(collecting))) {
      awaitUntil(() -> admin().status().pending() == 0);
    }

    assertThat(collecting.sizes).containsExactly(7);
    assertThat(collecting.delivered).containsExactlyElementsOf(ids);
  }

  @Test
  @DisplayName("R40: what a publisher holds back costs no attempt, and follows in order")
  void whatIsHeldBackFollowsInOrder() {
    List<String> a = enqueue("a", 4);
    List<String> b = enqueue("b", 4);
    AtomicInteger failures = new AtomicInteger();
    List<String> outages = new CopyOnWriteArrayList<>();
    Collecting collecting =
        new Collecting(
            message ->
                ScriptedPublisher.id(message).equals(a.get(1)) && failures.incrementAndGet() < 3
                    ? new Delivery.Retryable("not now", null)
                    : Delivery.DELIVERED);
    RelayListener listener =
        new RelayListener() {
          @Override
          public void brokerUnavailable(String reason) {
            outages.add(reason);
          }
        };

    try (Relay relay = started(relay(collecting).listener(listener))) {
      awaitUntil(() -> admin().status().pending() == 0);
    }

    assertThat(collecting.delivered.stream().filter(a::contains)).containsExactlyElementsOf(a);
    assertThat(collecting.delivered.stream().filter(b::contains)).containsExactlyElementsOf(b);
    assertThat(value(a.get(1), Role.ATTEMPTS)).isEqualTo("3");
    assertThat(value(a.get(2), Role.ATTEMPTS)).isEqualTo("1");
    assertThat(value(a.get(3), Role.ATTEMPTS)).isEqualTo("1");
    assertThat(outages).isEmpty();
  }

  @Test
  @DisplayName("R48: the relay says why the broker cannot be used")
  void theProblemIsTold() {
    List<String> outages = new CopyOnWriteArrayList<>();
    RelayListener listener =
        new RelayListener() {
          @Override
          public void brokerUnavailable(String reason) {
            outages.add(reason);
          }
        };
    Collecting collecting = new Collecting(message -> Delivery.DELIVERED);
    collecting.problem = Optional.of("the topic is missing; create it");

    try (Relay relay = started(relay(collecting).listener(listener))) {
      awaitUntil(() -> relay.state() == Relay.State.BROKER_UNAVAILABLE);
      collecting.problem = Optional.empty();
      awaitUntil(() -> relay.state() == Relay.State.RUNNING);
    }
    assertThat(outages).containsExactly("the topic is missing; create it");
  }

  /** Sends at the end of a handover; after a failure of a key it holds back the rest of the key. */
  private static final class Collecting implements Publisher {
    private final Function<Message, Delivery> answers;
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();
    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private volatile Optional<String> problem = Optional.empty();

    Collecting(Function<Message, Delivery> answers) {
      this.answers = answers;
    }

    @Override
    public CompletionStage<Delivery> send(Message message) {
      throw new AssertionError("sent outside of a handover");
    }

    @Override
    public Handover handover() {
      Map<Message, CompletableFuture<Delivery>> kept = new LinkedHashMap<>();
      return new Handover() {
        @Override
        public CompletionStage<Delivery> send(Message message) {
          return kept.computeIfAbsent(message, unused -> new CompletableFuture<>());
        }

        @Override
        public void close() {
          sizes.add(kept.size());
          List<String> stopped = new ArrayList<>();
          kept.forEach((message, outcome) -> outcome.complete(answer(message, stopped)));
        }
      };
    }

    private Delivery answer(Message message, List<String> stopped) {
      Delivery delivery =
          stopped.contains(message.key()) ? Delivery.HELD_BACK : answers.apply(message);
      if (delivery instanceof Delivery.Delivered) {
        delivered.add(ScriptedPublisher.id(message));
      } else {
        stopped.add(message.key());
      }
      return delivery;
    }

    @Override
    public Optional<String> problem() {
      return problem;
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public boolean keepsOrder() {
      return true;
    }
  }
}
