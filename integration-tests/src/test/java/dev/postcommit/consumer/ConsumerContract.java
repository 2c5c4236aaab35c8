package dev.postcommit.consumer;

import static dev.postcommit.consumer.Messages.attempt;
import static dev.postcommit.consumer.Messages.id;
import static dev.postcommit.consumer.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** R42, R44: what consumers promise, whatever guards them. */
abstract class ConsumerContract {
  static final String CONSUMER = "inventory";

  final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();

  /** An inbox of the consumer {@link #CONSUMER}; each asks the same store. */
  abstract Inbox inbox();

  EventConsumer.Builder builder(EventHandler<String> handler) {
    return EventConsumer.builder(CONSUMER)
        .inbox(inbox())
        .retryPolicy(new RetryPolicy(3, Duration.ofMillis(10), Duration.ofMillis(40), 0))
        .on(Messages.TYPE, String.class, handler);
  }

  EventConsumer consumer(EventHandler<String> handler) {
    return builder(handler).build();
  }

  private EventConsumer recording() {
    return consumer(event -> handled.add(event.id()));
  }

  @Test
  void anEventIsHandledOnce() {
    EventConsumer consumer = recording();
    String id = id();

    assertThat(consumer.handle(message(id))).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(consumer.handle(message(id))).isEqualTo(Outcome.Done.DUPLICATE);
    assertThat(recording().handle(message(id))).isEqualTo(Outcome.Done.DUPLICATE);
    assertThat(handled).containsExactly(id);
  }

  @Test
  void anEventThatComesTwiceInABatchIsHandledOnce() {
    String id = id();
    String other = id();

    assertThat(recording().handle(List.of(attempt(id), attempt(other), attempt(id))))
        .containsExactly(Outcome.Done.PROCESSED, Outcome.Done.PROCESSED, Outcome.Done.DUPLICATE);
    assertThat(handled).containsExactly(id, other);
  }

  @Test
  void aBatchMixesNewEventsAndDuplicates() {
    EventConsumer consumer = recording();
    List<String> ids = Stream.generate(Messages::id).limit(50).toList();
    consumer.handle(IntStream.range(0, 25).mapToObj(i -> attempt(ids.get(2 * i))).toList());

    List<Outcome> outcomes = consumer.handle(ids.stream().map(Messages::attempt).toList());

    for (int i = 0; i < 50; i++) {
      assertThat(outcomes.get(i))
          .isEqualTo(i % 2 == 0 ? Outcome.Done.DUPLICATE : Outcome.Done.PROCESSED);
    }
    assertThat(handled).doesNotHaveDuplicates().hasSize(50);
  }

  /** R44: safe under concurrency. */
  @Test
  void manyConsumersThatAreGivenTheSameEventsHandleEachOnce() throws Exception {
    List<String> ids = Stream.generate(Messages::id).limit(300).toList();
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Callable<Void>> consumers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        boolean backwards = i % 2 == 1;
        consumers.add(
            () -> {
              EventConsumer consumer = recording();
              for (int chunk = 0; chunk < 10; chunk++) {
                int from = (backwards ? 9 - chunk : chunk) * 30;
                Messages.awaitDone(consumer, attempts(ids.subList(from, from + 30)));
              }
              return null;
            });
      }
      for (Future<Void> end : threads.invokeAll(consumers)) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(handled).hasSize(300).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void aFailureIsRetriedAndTheEventHandledThen() {
    Set<String> failing = ConcurrentHashMap.newKeySet();
    EventConsumer consumer =
        consumer(
            event -> {
              if (failing.remove(event.id())) {
                throw new IOException("not now");
              }
              handled.add(event.id());
            });
    String id = id();
    failing.add(id);

    assertThat(consumer.handle(attempts(attempt(id))))
        .containsExactly(new Outcome.Retry(Duration.ofMillis(10), true, "not now"));
    assertThat(handled).isEmpty();
    assertThat(consumer.handle(attempts(attempt(id, 2)))).containsExactly(Outcome.Done.PROCESSED);
    assertThat(handled).containsExactly(id);
  }

  @Test
  void delaysGrowUntilTheEventIsGivenUp() {
    EventConsumer consumer =
        consumer(
            event -> {
              throw new IOException("never");
            });
    String id = id();

    assertThat(consumer.handle(attempts(attempt(id, 2))))
        .containsExactly(new Outcome.Retry(Duration.ofMillis(20), true, "never"));
    DeadLetter letter = letter(consumer.handle(attempts(attempt(id, 3))).get(0));
    assertThat(letter.eventId()).isEqualTo(id);
    assertThat(letter.errorMessage()).isEqualTo("gave up after attempt 3: never");
    assertThat(letter.errorClass()).isEqualTo("java.io.IOException");
    assertThat(letter.attempts()).isEqualTo(3);
    assertThat(letter.consumerService()).isEqualTo(CONSUMER);
  }

  @Test
  void permanentFailuresAreNotRetried() {
    EventConsumer consumer =
        builder(
                event -> {
                  switch (event.data()) {
                    case "1" -> throw new PermanentFailureException("no such product");
                    case "2" -> throw new NumberFormatException("no number");
                    case "3" -> throw new IOException(new PermanentFailureException("wrapped"));
                    default -> throw new StackOverflowError();
                  }
                })
            .permanentError(IllegalArgumentException.class)
            .build();

    assertThat(letter(consumer.handle(of("1"))).errorMessage()).isEqualTo("no such product");
    assertThat(letter(consumer.handle(of("2"))).errorMessage()).isEqualTo("no number");
    assertThat(letter(consumer.handle(of("3"))).errorMessage()).contains("wrapped");
    assertThat(consumer.handle(of("4"))).isInstanceOf(Outcome.Retry.class);
  }

  /** A dead letter that is replayed must not be taken for a duplicate. */
  @Test
  void anEventThatWasGivenUpIsHandledWhenItComesAgain() {
    Set<String> poison = ConcurrentHashMap.newKeySet();
    EventConsumer consumer =
        consumer(
            event -> {
              if (poison.contains(event.id())) {
                throw new PermanentFailureException("poison");
              }
              handled.add(event.id());
            });
    String id = id();
    poison.add(id);

    assertThat(consumer.handle(message(id))).isInstanceOf(Outcome.Dead.class);
    poison.clear();
    assertThat(consumer.handle(message(id))).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(handled).containsExactly(id);
  }

  @Test
  void aFailedEventHoldsBackTheLaterOnesOfItsOrderAlone() {
    String failing = id();
    EventConsumer consumer =
        consumer(
            event -> {
              if (event.id().equals(failing)) {
                throw new IOException("not now");
              }
              handled.add(event.id());
            });
    String before = id();
    String after = id();
    String last = id();
    String other = id();
    String free = id();

    List<Outcome> outcomes =
        consumer.handle(
            List.of(
                attempt(before, "a"),
                attempt(failing, "a"),
                attempt(other, "b"),
                attempt(after, "a"),
                attempt(free, null),
                attempt(last, "a")));

    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Retry.class);
    assertThat(outcomes)
        .extracting(Object.class::cast)
        .containsExactly(
            Outcome.Done.PROCESSED,
            outcomes.get(1),
            Outcome.Done.PROCESSED,
            Outcome.HELD,
            Outcome.Done.PROCESSED,
            Outcome.HELD);
    assertThat(Set.copyOf(handled)).containsExactlyInAnyOrder(before, other, free);
    assertThat(consumer.handle(List.of(attempt(after, "a"), attempt(last, "a"))))
        .as("what was held is not marked")
        .containsExactly(Outcome.Done.PROCESSED, Outcome.Done.PROCESSED);
  }

  @Test
  void aDeadEventHoldsBackNobody() {
    EventConsumer consumer =
        consumer(
            event -> {
              if (event.data().equals("poison")) {
                throw new PermanentFailureException("poison");
              }
              handled.add(event.id());
            });
    List<WorkItem> items =
        IntStream.range(0, 9)
            .mapToObj(
                i -> new WorkItem(message(id(), Messages.TYPE, i == 4 ? "poison" : "\"\""), "a", 1))
            .toList();

    List<Outcome> outcomes = consumer.handle(items);

    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Dead.class);
    assertThat(outcomes).filteredOn(o -> o == Outcome.Done.PROCESSED).hasSize(8);
    assertThat(handled).hasSizeGreaterThanOrEqualTo(8);
  }

  /** Otherwise marks would expire and transactions stay open. */
  @Test
  void slowHandlersLeaveTheRestForLater() {
    EventConsumer consumer =
        consumer(
            event -> {
              Thread.sleep(400);
              handled.add(event.id());
            });
    List<String> ids = Stream.generate(Messages::id).limit(8).toList();

    List<Outcome> outcomes = consumer.handle(ids.stream().map(Messages::attempt).toList());

    assertThat(outcomes).filteredOn(o -> o == Outcome.Done.PROCESSED).hasSizeBetween(1, 4);
    assertThat(outcomes.get(7)).isEqualTo(Outcome.HELD);
    Messages.awaitDone(recording(), attempts(ids));
    assertThat(handled).containsExactlyElementsOf(ids);
  }

  @Test
  void eventsOfUnknownTypesAreIgnoredOrDeadLettered() {
    ReceivedMessage unknown = message(id(), "order.lost", "{}");

    assertThat(recording().handle(unknown)).isEqualTo(Outcome.Done.IGNORED);
    EventConsumer strict =
        builder(event -> handled.add(event.id())).unknownTypes(UnknownTypes.DEAD_LETTER).build();
    assertThat(letter(strict.handle(unknown)).errorMessage())
        .isEqualTo("no handler of inventory is for events of type order.lost");
    assertThat(handled).isEmpty();
  }

  @Test
  void aMessageThatCarriesNoEventIsDeadLettered() {
    ReceivedMessage message = new ReceivedMessage("orders", null, Map.of(), new byte[] {1, 2});

    DeadLetter letter = letter(recording().handle(message));

    assertThat(letter.eventId()).isNull();
    assertThat(letter.errorMessage()).startsWith("no event can be read from the message: ");
    assertThat(letter.message()).isSameAs(message);
  }

  @Test
  void dataThatDoesNotDecodeIsDeadLettered() {
    record Order(int number) {}
    EventConsumer consumer =
        EventConsumer.builder(CONSUMER)
            .inbox(inbox())
            .on(Messages.TYPE, Order.class, event -> handled.add("" + event.data().number()))
            .build();

    assertThat(consumer.handle(of("{\"number\": 7, \"more\": 8}")))
        .isEqualTo(Outcome.Done.PROCESSED);
    assertThat(handled).containsExactly("7");
    assertThat(letter(consumer.handle(of("{\"number\": \"seven\"}"))).errorMessage())
        .contains("order.placed", "Order")
        .doesNotContain("seven");
  }

  /** Interrupts come when a consumer is closed: its last attempts must not end as dead letters. */
  @Test
  void anInterruptedHandlerIsNoFailedAttempt() {
    List<EventHandler<String>> handlers =
        List.of(
            event -> {
              throw new InterruptedException();
            },
            event -> {
              Thread.currentThread().interrupt();
              throw new IllegalStateException("what some make of an interrupt");
            });
    for (EventHandler<String> handler : handlers) {
      Outcome outcome = consumer(handler).handle(attempts(attempt(id(), 3))).get(0);

      assertThat(Thread.interrupted()).isTrue();
      assertThat(outcome)
          .isInstanceOfSatisfying(Outcome.Retry.class, r -> assertThat(r.counts()).isFalse());
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    EventConsumer.Builder empty = EventConsumer.builder(CONSUMER);
    assertThatThrownBy(empty::build).hasMessageContaining("no inbox");
    assertThatThrownBy(empty.inbox(inbox())::build).hasMessageContaining("no handlers");
    assertThatThrownBy(() -> EventConsumer.builder(" ")).hasMessageContaining("blank");
    assertThatThrownBy(() -> builder(event -> {}).on(Messages.TYPE, String.class, event -> {}))
        .hasMessage("there are two handlers for events of type order.placed");
  }

  static ReceivedMessage of(String payload) {
    return message(id(), Messages.TYPE, payload);
  }

  static List<WorkItem> attempts(List<String> ids) {
    return ids.stream().map(Messages::attempt).toList();
  }

  static List<WorkItem> attempts(WorkItem... attempts) {
    return List.of(attempts);
  }

  static DeadLetter letter(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Dead.class);
    return ((Outcome.Dead) outcome).deadLetter();
  }
}
