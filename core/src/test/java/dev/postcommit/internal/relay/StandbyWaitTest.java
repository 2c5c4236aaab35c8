package dev.postcommit.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.relay.StandbyWait.End;
import dev.postcommit.internal.relay.health.Availability;
import dev.postcommit.internal.relay.health.Availability.Outage;
import dev.postcommit.internal.relay.health.DatabaseHealth;
import dev.postcommit.internal.store.StandbyPositions.Positions;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Standbys;
import dev.postcommit.store.Claim;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StandbyWaitTest {
  private static final Duration LEASE = Duration.ofMillis(1500);

  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final RelayListener listener =
      new GuardedListener(
          List.of(
              new RelayListener() {
                @Override
                public void replicated(int events, Duration took) {
                  heard.add("replicated");
                }

                @Override
                public void standbysUnavailable(String reason) {
                  heard.add("unavailable: " + reason);
                }

                @Override
                public void standbysRecovered(Duration outage) {
                  heard.add("recovered");
                }
              }));
  private final Availability availability =
      new Availability("standby", listener::standbysUnavailable, listener::standbysRecovered);
  private final AtomicInteger flushes = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private volatile Positions positions = at(1, 100, Map.of());
  private final StandbyWait wait =
      new StandbyWait(
          new Standbys(1, new LinkedHashSet<>(List.of("replica1", "replica2"))),
          () -> {
            looks.incrementAndGet();
            return positions;
          },
          flushes::incrementAndGet,
          availability,
          new DatabaseHealth(
              listener::databaseUnavailable, listener::databaseRecovered, LEASE, 500),
          listener,
          LEASE);
  private final Thread thread = new Thread(wait);
  private final ExecutorService lanes = Executors.newCachedThreadPool();

  private static Positions at(long run, long written, Map<String, Long> standbys) {
    return new Positions(run, written, written, standbys);
  }

  @BeforeEach
  void start() {
    wait.learnRun();
    thread.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    wait.stop();
    thread.join();
    lanes.shutdownNow();
  }

  private static Batch batch() {
    return new Batch(Claim.EMPTY, System.nanoTime(), Duration.ofMinutes(1), Duration.ZERO);
  }

  private Future<End> waiting(Batch batch) {
    return lanes.submit(() -> wait.await(batch));
  }

  private void looksAgain() {
    int before = looks.get();
    until(() -> looks.get() > before + 1);
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aBatchWaitsUntilEnoughStandbysHaveThePositionThatWasReadAfterIt() throws Exception {
    Future<End> end = waiting(batch());
    looksAgain();
    positions = at(1, 200, Map.of("replica1", 99L));
    looksAgain();
    assertThat(end.isDone()).isFalse();

    positions = at(1, 300, Map.of("replica1", 99L, "replica2", 100L));
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(End.REPLICATED);
    assertThat(heard).containsExactly("replicated");
  }

  @Test
  void aBatchThatWasTakenBeforeTheRunBeganIsGivenBack() throws Exception {
    Batch before = batch();
    positions = at(2, 50, Map.of("replica1", 1_000L));
    assertThat(waiting(before).get(10, TimeUnit.SECONDS)).isEqualTo(End.OTHER_RUN);
    assertThat(waiting(batch()).get(10, TimeUnit.SECONDS)).isEqualTo(End.REPLICATED);
  }

  @Test
  void anotherRunEndsAWaitWhateverItsStandbysHave() throws Exception {
    Future<End> end = waiting(batch());
    looksAgain();
    positions = at(2, 500, Map.of("replica1", 500L));
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(End.OTHER_RUN);
  }

  @Test
  void whatThePrimaryHasNotFlushedIsFlushed() throws Exception {
    positions = new Positions(1, 100, 90, Map.of("replica1", 90L));
    Future<End> end = waiting(batch());
    until(() -> flushes.get() > 0);
    positions = at(1, 100, Map.of("replica1", 100L));
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(End.REPLICATED);
  }

  @Test
  void whatThePrimaryHasFlushedIsNotFlushedAgain() throws Exception {
    positions = at(1, 100, Map.of("replica1", 90L));
    Future<End> end = waiting(batch());
    looksAgain();
    looksAgain();
    positions = at(1, 100, Map.of("replica1", 100L));
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(End.REPLICATED);
    assertThat(flushes).hasValue(0);
  }

  @Test
  void anOutageIsToldWhenItBeginsAndWhenItEnds() throws Exception {
    Future<End> end = waiting(batch());
    until(() -> !availability.isAvailable());
    assertThat(availability.outage().map(Outage::reason))
        .contains("events wait for 1 of replica1, replica2; not connected: replica1, replica2");
    positions = at(1, 200, Map.of("replica2", 20L));
    until(
        () ->
            availability
                .outage()
                .orElseThrow()
                .reason()
                .endsWith("connected, but behind: replica2"));

    positions = at(1, 200, Map.of("replica2", 200L));
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(End.REPLICATED);
    until(availability::isAvailable);
    assertThat(heard).hasSize(3);
    assertThat(heard.get(0)).startsWith("unavailable: ");
    assertThat(heard).contains("replicated", "recovered");
  }

  @Test
  void withoutStandbysABatchIsGivenBackAfterItsLeaseAndTheOutageLasts() throws Exception {
    assertThat(waiting(batch()).get(10, TimeUnit.SECONDS)).isEqualTo(End.GIVEN_UP);
    assertThat(availability.isAvailable()).isFalse();

    positions = at(1, 200, Map.of("replica1", 200L));
    until(availability::isAvailable);
  }

  @Test
  void aBatchIsNotGivenBackToStandbysThatAreOnlyBehind() throws Exception {
    positions = at(1, 100, Map.of("replica1", 10L));
    Future<End> end = waiting(batch());
    CompletableFuture<Void> later =
        CompletableFuture.runAsync(
            () -> positions = at(1, 100, Map.of("replica1", 100L)),
            CompletableFuture.delayedExecutor(2 * LEASE.toMillis(), TimeUnit.MILLISECONDS));
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(End.REPLICATED);
    later.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aLeaseThatIsLostEndsTheWait() throws Exception {
    Batch batch = batch();
    Future<End> end = waiting(batch);
    batch.lose();
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(End.GIVEN_UP);
  }

  @Test
  void aRelayThatStopsEndsTheWait() throws Exception {
    Future<End> end = waiting(batch());
    looksAgain();
    wait.stop();
    assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(End.GIVEN_UP);
  }
}
