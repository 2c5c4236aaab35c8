package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.layout.Role;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waking, leasing and stopping. */
@SuppressWarnings("try") // a relay works without being spoken to
class RelayLifeIT extends RelayFixture {

  @Test
  @DisplayName("R28: closing waits for what is in flight and marks it")
  void closingWaitsForWhatIsInFlight() throws Exception {
    List<String> ids = enqueue("a", 1);
    CompletableFuture<Delivery> answer = new CompletableFuture<>();
    CountDownLatch sent = new CountDownLatch(1);
    publisher.completing(
        message -> {
          sent.countDown();
          return answer;
        });
    Relay relay = started(relay());
    assertThat(sent.await(10, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(relay::close);
    awaitUntil(() -> relay.state() == Relay.State.STOPPED);
    assertThat(closing).isNotDone();

    answer.complete(Delivery.DELIVERED);
    closing.get(10, TimeUnit.SECONDS);

    assertThat(value(ids.get(0), Role.STATUS)).isEqualTo("delivered");
  }

  @Test
  @DisplayName(
      "R28: what is not delivered by the deadline is given back, so nobody waits for a lease")
  void closingGivesBackWhatIsNotDelivered() {
    List<String> ids = enqueue("a", 2);
    CountDownLatch sent = new CountDownLatch(1);
    publisher.completing(
        message -> {
          sent.countDown();
          return new CompletableFuture<>();
        });
    Relay relay = started(relay().drainTimeout(Duration.ofMillis(100)));
    awaitUntil(() -> sent.getCount() == 0);

    relay.close();
    relay.close();

    assertThat(ids(store().claim(upTo(9)))).isEqualTo(ids);
    assertThatThrownBy(relay::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("R28: a relay that was never started closes at once")
  void aRelayThatWasNeverStartedCloses() {
    Relay relay = relay().build();
    relay.close();
    assertThat(relay.state()).isEqualTo(Relay.State.STOPPED);
  }

  @Test
  @DisplayName("R19: a batch that takes longer than its lease is renewed, and delivered once")
  void aSlowBatchIsRenewed() {
    List<String> ids = enqueue("a", 8);
    Map<String, Integer> calls = new ConcurrentHashMap<>();
    Semaphore pace = new Semaphore(0);
    Publisher slow =
        Publisher.callback(
            Duration.ofMillis(400),
            message -> {
              calls.merge(ScriptedPublisher.id(message), 1, Integer::sum);
              pace.tryAcquire(200, TimeUnit.MILLISECONDS);
            });
    Relay.Builder builder =
        Relay.builder(dataSource(), slow)
            .lease(Duration.ofMillis(600))
            .pollInterval(Duration.ofMillis(20));
    Relay.Builder other =
        Relay.builder(dataSource(), slow)
            .lease(Duration.ofMillis(600))
            .pollInterval(Duration.ofMillis(20));

    try (Relay first = started(builder);
        Relay second = started(other)) {
      awaitUntil(() -> admin().status().pending() == 0);
    }

    assertThat(calls).hasSize(ids.size());
    assertThat(calls.values()).containsOnly(1);
  }

  @Test
  @DisplayName("an idle relay that is woken delivers at once")
  void anIdleRelayThatIsWokenDeliversAtOnce() {
    Relay.Builder lazy = relay().lease(Duration.ofMinutes(10)).pollInterval(Duration.ofMinutes(3));
    try (Relay relay = started(lazy)) {
      for (int round = 0; round < 3; round++) {
        List<String> ids = enqueue("k" + round, 1);
        awaitUntil(
            () -> {
              relay.wakeUp();
              return publisher.accepted().containsAll(ids);
            });
      }
    }
  }

  @Test
  @DisplayName("an idle relay polls at its interval, also after a batch that was full")
  void anIdleRelayPollsAtItsInterval() {
    Deque<Long> polls = new ConcurrentLinkedDeque<>();
    DataSource counting =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  polls.add(System.nanoTime());
                  return method.invoke(dataSource(), arguments);
                });
    List<String> ids = enqueue("a", 2);
    Relay.Builder builder =
        Relay.builder(counting, publisher).batchSize(2).pollInterval(Duration.ofMillis(200));
    try (Relay relay = started(builder)) {
      awaitDelivered(ids);
      awaitUntil(() -> lastGaps(polls, 5).stream().allMatch(gap -> gap > 100));
    }
  }

  /** The last times between polls, in milliseconds; zeros as long as there were not so many. */
  private static List<Long> lastGaps(Deque<Long> polls, int count) {
    Long[] at = polls.toArray(Long[]::new);
    return IntStream.rangeClosed(1, count)
        .map(i -> at.length - i)
        .mapToObj(i -> i < 1 ? 0L : TimeUnit.NANOSECONDS.toMillis(at[i] - at[i - 1]))
        .toList();
  }
}
