package dev.postcommit.consumer.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.consumer.deadletter.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkerTest {
  private final List<TestMessage> messages = new ArrayList<>();
  private final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
  private @Nullable Worker<TestMessage> worker;

  @AfterEach
  void stop() {
    if (worker != null) {
      worker.stop();
      worker.thread().interrupt();
    }
  }

  /** Starts a worker that has messages 0, 1, 2… of the given keys. */
  private void start(
      EventConsumer consumer, DeadLetterSink<TestMessage> letters, int batchSize, String... keys) {
    worker = new Worker<>("worker", consumer, letters, batchSize);
    for (int i = 0; i < keys.length; i++) {
      messages.add(new TestMessage(i, keys[i]));
    }
    worker.add(messages);
    worker.start();
  }

  private EventConsumer consumer(Function<List<WorkItem>, List<Outcome>> handle) {
    return new EventConsumer() {
      @Override
      public String name() {
        return "test";
      }

      @Override
      public List<Outcome> handle(List<WorkItem> items) {
        batches.add(items.stream().map(WorkerTest::number).toList());
        return handle.apply(items);
      }

      @Override
      public long prune() {
        return 0;
      }
    };
  }

  private EventConsumer each(Function<WorkItem, Outcome> handle) {
    return consumer(items -> items.stream().map(handle).toList());
  }

  private static Outcome retry() {
    return new Outcome.Retry(Duration.ofMillis(1), true, "temporary");
  }

  private static Outcome dead(WorkItem item) {
    Instant failedAt = Instant.parse("2026-01-02T03:04:05Z");
    return new Outcome.Dead(
        new DeadLetter("id", "type", item.message(), "broken", "Error", 1, failedAt, "test"));
  }

  private static String number(WorkItem item) {
    return item.message().origin().get("number");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long undone() {
    return messages.stream().filter(message -> !message.isDone()).count();
  }

  private void awaitDone() {
    await().until(() -> undone() == 0);
  }

  @Test
  void batchesAreAsSmallAsWhatThereIsTimeForAndGrowAgain() {
    AtomicInteger calls = new AtomicInteger();
    EventConsumer slowAtFirst =
        consumer(
            items -> {
              int most = calls.getAndIncrement() == 0 ? 1 : items.size();
              List<Outcome> outcomes = new ArrayList<>();
              for (int i = 0; i < items.size(); i++) {
                outcomes.add(i < most ? Outcome.Done.PROCESSED : Outcome.HELD);
              }
              return outcomes;
            });
    start(slowAtFirst, letters -> {}, 4, "a", "b", "c", "d", "e", "f", "g", "h");
    awaitDone();
    assertThat(batches)
        .containsExactly(
            List.of("0", "1", "2", "3"),
            List.of("1"),
            List.of("2", "3"),
            List.of("4", "5", "6", "7"));
  }

  @Test
  @DisplayName("R40: what was held comes before what is retried behind it")
  void whatWasHeldComesFirst() {
    EventConsumer consumer =
        consumer(
            items ->
                batches.size() > 1
                    ? items.stream().<Outcome>map(item -> Outcome.Done.PROCESSED).toList()
                    : List.of(Outcome.Done.PROCESSED, Outcome.HELD, retry(), Outcome.HELD));
    start(consumer, letters -> {}, 4, "b", "a", "a", "a");
    awaitDone();
    assertThat(batches.stream().skip(1).flatMap(List::stream)).containsExactly("1", "2", "3");
  }

  @Test
  @DisplayName("R39: attempts are counted when they count")
  void countsAttempts() {
    List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());
    EventConsumer consumer =
        each(
            item -> {
              numbers.add(item.attempt());
              return switch (numbers.size()) {
                case 1, 3 -> retry();
                case 2 -> new Outcome.Retry(Duration.ofMillis(1), false, "store is away");
                default -> Outcome.Done.PROCESSED;
              };
            });
    start(consumer, letters -> {}, 10, "a");
    awaitDone();
    assertThat(numbers).containsExactly(1, 2, 2, 3);
  }

  @Test
  void aConsumerThatThrowsIsGivenTheMessagesAgain() {
    AtomicInteger calls = new AtomicInteger();
    EventConsumer broken =
        consumer(
            items -> {
              switch (calls.getAndIncrement()) {
                case 0 -> throw new StackOverflowError();
                case 1 -> {
                  return List.of();
                }
                case 2 -> {
                  return items.stream().map(unused -> Outcome.HELD).toList();
                }
                default -> {
                  assertThat(items).extracting(WorkItem::attempt).containsOnly(1);
                  return items.stream().<Outcome>map(unused -> Outcome.Done.IGNORED).toList();
                }
              }
            });
    start(broken, letters -> {}, 10, "a", "a", "a");
    awaitDone();
    assertThat(batches).containsOnly(List.of("0", "1", "2")).hasSize(4);
  }

  @Test
  @DisplayName("R39: a dead letter is kept until it is sent, and only then its message is done")
  void aDeadLetterIsKeptUntilItIsSent() {
    AtomicInteger tries = new AtomicInteger();
    CountDownLatch mayBeSent = new CountDownLatch(1);
    AtomicInteger handled = new AtomicInteger();
    EventConsumer consumer =
        each(
            item -> {
              handled.incrementAndGet();
              return number(item).equals("0") ? dead(item) : Outcome.Done.PROCESSED;
            });
    DeadLetterSink<TestMessage> failing =
        letters -> {
          tries.incrementAndGet();
          if (mayBeSent.getCount() == 0) {
            letters.forEach(FetchedMessage::done);
          }
        };
    start(consumer, failing, 10, "a", "b", "c");
    await().until(() -> tries.get() >= 3);
    assertThat(undone()).isEqualTo(1);
    assertThat(messages.get(0).isDone()).isFalse();
    mayBeSent.countDown();
    awaitDone();
    assertThat(handled).hasValue(3);
  }

  @Test
  @DisplayName("R39: an error while dead letters are sent is reported, and the worker goes on")
  void anErrorWhileDeadLettersAreSentIsReportedAndTheWorkerGoesOn() {
    CountDownLatch mayBeSent = new CountDownLatch(1);
    EventConsumer consumer =
        each(item -> number(item).equals("2") ? Outcome.Done.PROCESSED : dead(item));
    DeadLetterSink<TestMessage> broken =
        letters -> {
          if (mayBeSent.getCount() > 0) {
            throw new NoClassDefFoundError("codec");
          }
          letters.forEach(FetchedMessage::done);
        };
    start(consumer, broken, 1, "a", "a", "b");
    await().until(() -> messages.get(2).isDone());
    assertThat(worker.thread().isAlive()).isTrue();
    assertThat(worker.problem()).hasValueSatisfying(text -> assertThat(text).contains("codec"));
    assertThat(undone()).isEqualTo(2);
    mayBeSent.countDown();
    awaitDone();
    await().until(() -> worker.problem().isEmpty());
  }

  @Test
  void aWorkerThatEndsIsReportedForGood() throws InterruptedException {
    start(each(item -> Outcome.Done.PROCESSED), letters -> {}, 1);
    worker.add(List.of(new TestMessage(0, "a").broken()));
    worker.thread().join();
    assertThat(worker.problem())
        .hasValueSatisfying(
            text -> assertThat(text).contains("worker has ended", "broken message"));
    worker.stop();
    assertThat(worker.problem()).isPresent();
  }

  @Test
  void aWorkerThatWasStoppedHasNoProblem() throws InterruptedException {
    start(each(item -> Outcome.Done.PROCESSED), letters -> {}, 1, "a");
    awaitDone();
    worker.stop();
    worker.thread().join();
    assertThat(worker.problem()).isEmpty();
  }

  @Test
  void endsWhenItIsFinishedWithWhatItIsHandling() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    EventConsumer consumer =
        each(
            item -> {
              begun.countDown();
              awaitQuietly(mayEnd);
              return Outcome.Done.PROCESSED;
            });
    start(consumer, letters -> {}, 1, "a", "b");
    begun.await();
    worker.stop();
    assertThat(worker.thread().isAlive()).isTrue();
    mayEnd.countDown();
    worker.thread().join();
    assertThat(undone()).isEqualTo(1);
  }
}
