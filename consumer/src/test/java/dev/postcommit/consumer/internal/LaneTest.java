package dev.postcommit.consumer.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Attempt;
import dev.postcommit.consumer.DeadLetter;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
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

class LaneTest {
  private final List<TestSlot> slots = new ArrayList<>();
  private final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
  private @Nullable Lane<TestSlot> lane;

  @AfterEach
  void stop() {
    if (lane != null) {
      lane.stop();
      lane.thread().interrupt();
    }
  }

  /** Starts a lane that has messages 0, 1, 2… of the given keys. */
  private void start(
      EventConsumer consumer, Letters<TestSlot> letters, int batchSize, String... keys) {
    lane = new Lane<>("lane", consumer, letters, batchSize);
    for (int i = 0; i < keys.length; i++) {
      slots.add(new TestSlot(i, keys[i]));
    }
    lane.add(slots);
    lane.start();
  }

  private EventConsumer consumer(Function<List<Attempt>, List<Outcome>> handle) {
    return new EventConsumer() {
      @Override
      public String name() {
        return "test";
      }

      @Override
      public List<Outcome> handle(List<Attempt> attempts) {
        batches.add(attempts.stream().map(LaneTest::number).toList());
        return handle.apply(attempts);
      }

      @Override
      public long prune() {
        return 0;
      }
    };
  }

  private EventConsumer each(Function<Attempt, Outcome> handle) {
    return consumer(attempts -> attempts.stream().map(handle).toList());
  }

  private static Outcome retry() {
    return new Outcome.Retry(Duration.ofMillis(1), true, "temporary");
  }

  private static Outcome dead(Attempt attempt) {
    Instant failedAt = Instant.parse("2026-01-02T03:04:05Z");
    return new Outcome.Dead(
        new DeadLetter("id", "type", attempt.message(), "broken", "Error", 1, failedAt, "test"));
  }

  private static String number(Attempt attempt) {
    return attempt.message().origin().get("number");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long undone() {
    return slots.stream().filter(slot -> !slot.isDone()).count();
  }

  private void awaitDone() {
    await().until(() -> undone() == 0);
  }

  @Test
  void batchesAreAsSmallAsWhatThereIsTimeForAndGrowAgain() {
    AtomicInteger calls = new AtomicInteger();
    EventConsumer slowAtFirst =
        consumer(
            attempts -> {
              int most = calls.getAndIncrement() == 0 ? 1 : attempts.size();
              List<Outcome> outcomes = new ArrayList<>();
              for (int i = 0; i < attempts.size(); i++) {
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
            attempts ->
                batches.size() > 1
                    ? attempts.stream().<Outcome>map(attempt -> Outcome.Done.PROCESSED).toList()
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
            attempt -> {
              numbers.add(attempt.number());
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
            attempts -> {
              switch (calls.getAndIncrement()) {
                case 0 -> throw new StackOverflowError();
                case 1 -> {
                  return List.of();
                }
                case 2 -> {
                  return attempts.stream().map(unused -> Outcome.HELD).toList();
                }
                default -> {
                  assertThat(attempts).extracting(Attempt::number).containsOnly(1);
                  return attempts.stream().<Outcome>map(unused -> Outcome.Done.IGNORED).toList();
                }
              }
            });
    start(broken, letters -> {}, 10, "a", "a", "a");
    awaitDone();
    assertThat(batches).containsOnly(List.of("0", "1", "2")).hasSize(4);
  }

  @Test
  @DisplayName("R39: a letter is kept until it is sent, and only then its message is done")
  void aLetterIsKeptUntilItIsSent() {
    AtomicInteger tries = new AtomicInteger();
    CountDownLatch mayBeSent = new CountDownLatch(1);
    AtomicInteger handled = new AtomicInteger();
    EventConsumer consumer =
        each(
            attempt -> {
              handled.incrementAndGet();
              return number(attempt).equals("0") ? dead(attempt) : Outcome.Done.PROCESSED;
            });
    Letters<TestSlot> failing =
        letters -> {
          tries.incrementAndGet();
          if (mayBeSent.getCount() == 0) {
            letters.forEach(Slot::done);
          }
        };
    start(consumer, failing, 10, "a", "b", "c");
    await().until(() -> tries.get() >= 3);
    assertThat(undone()).isEqualTo(1);
    assertThat(slots.get(0).isDone()).isFalse();
    mayBeSent.countDown();
    awaitDone();
    assertThat(handled).hasValue(3);
  }

  @Test
  @DisplayName("R39: an error while letters are sent is told, and the lane goes on")
  void anErrorWhileLettersAreSentIsToldAndTheLaneGoesOn() {
    CountDownLatch mayBeSent = new CountDownLatch(1);
    EventConsumer consumer =
        each(attempt -> number(attempt).equals("2") ? Outcome.Done.PROCESSED : dead(attempt));
    Letters<TestSlot> broken =
        letters -> {
          if (mayBeSent.getCount() > 0) {
            throw new NoClassDefFoundError("codec");
          }
          letters.forEach(Slot::done);
        };
    start(consumer, broken, 1, "a", "a", "b");
    await().until(() -> slots.get(2).isDone());
    assertThat(lane.thread().isAlive()).isTrue();
    assertThat(lane.problem()).hasValueSatisfying(text -> assertThat(text).contains("codec"));
    assertThat(undone()).isEqualTo(2);
    mayBeSent.countDown();
    awaitDone();
    await().until(() -> lane.problem().isEmpty());
  }

  @Test
  void aLaneThatEndsAllTheSameIsToldForGood() throws InterruptedException {
    start(each(attempt -> Outcome.Done.PROCESSED), letters -> {}, 1);
    lane.add(List.of(new TestSlot(0, "a").broken()));
    lane.thread().join();
    assertThat(lane.problem())
        .hasValueSatisfying(text -> assertThat(text).contains("lane has ended", "broken slot"));
    lane.stop();
    assertThat(lane.problem()).isPresent();
  }

  @Test
  void aLaneThatWasStoppedHasNoProblem() throws InterruptedException {
    start(each(attempt -> Outcome.Done.PROCESSED), letters -> {}, 1, "a");
    awaitDone();
    lane.stop();
    lane.thread().join();
    assertThat(lane.problem()).isEmpty();
  }

  @Test
  void endsWhenItIsFinishedWithWhatItIsHandling() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    EventConsumer consumer =
        each(
            attempt -> {
              begun.countDown();
              awaitQuietly(mayEnd);
              return Outcome.Done.PROCESSED;
            });
    start(consumer, letters -> {}, 1, "a", "b");
    begun.await();
    lane.stop();
    assertThat(lane.thread().isAlive()).isTrue();
    mayEnd.countDown();
    lane.thread().join();
    assertThat(undone()).isEqualTo(1);
  }
}
