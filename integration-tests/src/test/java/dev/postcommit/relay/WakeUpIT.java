package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Writers of the relay's own process wake it after each commit. */
class WakeUpIT {
  private static final Duration STORM = Duration.ofMillis(600);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(3);

  /** After so long without a find the pause between looks is as long. */
  private static final Duration IDLE = Duration.ofSeconds(2);

  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicLong lookedAt = new AtomicLong();
  private final Semaphore delivered = new Semaphore(0);

  private final RelayListener counting =
      new RelayListener() {
        @Override
        public void polled(int found) {
          looks.incrementAndGet();
          lookedAt.set(System.nanoTime());
        }
      };

  private Relay relay(PostgresDatabase database, Layout layout, Runnable delivery) {
    return relay(database, layout, delivery, RelayConfig.DEFAULT.pollInterval());
  }

  private Relay relay(
      PostgresDatabase database, Layout layout, Runnable delivery, Duration longestPause) {
    OutboxMigration.migrate(database.dataSource(), layout);
    Publisher publisher = Publisher.callback(Duration.ofSeconds(10), message -> delivery.run());
    return Relay.builder(database.dataSource(), publisher)
        .layout(layout)
        .pollInterval(longestPause)
        .listener(counting)
        .build();
  }

  private static void enqueue(PostgresDatabase database, Layout layout, String key)
      throws SQLException {
    try (Connection tx = database.dataSource().getConnection()) {
      tx.setAutoCommit(false);
      Outbox.builder(layout)
          .build()
          .enqueue(tx, Event.builder("called").aggregate("a", key).json("{}").build());
      tx.commit();
    }
  }

  private void awaitDelivery() throws InterruptedException {
    assertThat(delivered.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void howeverOftenItIsWokenEventsGatherBetweenClaims() {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase();
        Relay relay = relay(database, Layout.nativeTable(), delivered::release)) {
      long start = System.nanoTime();
      relay.start();
      while (System.nanoTime() - start < STORM.toNanos()) {
        relay.wakeUp();
      }
      int looked = looks.get();
      long took = System.nanoTime() - start;
      assertThat(looked).isBetween(5, Math.toIntExact(took / SHORTEST_PAUSE.toNanos()) + 4);
    }
  }

  @Test
  void whereEveryWriterCallsALookIsMadeForEachEventAndHardlyAnyOther() throws Exception {
    looksForEachEvent(Layout.nativeTable());
  }

  @Test
  void soItIsForALog() throws Exception {
    looksForEachEvent(Layout.log());
  }

  @Test
  void anEventThatWaitsForAnotherOfItsKeyGoesAsSoonAsThatIsSettled() throws Exception {
    goesWhenSettled(Layout.nativeTable());
  }

  @Test
  void soItDoesInALog() throws Exception {
    goesWhenSettled(Layout.log());
  }

  private void looksForEachEvent(Layout layout) throws Exception {
    int calls = 90;
    try (PostgresDatabase database = PostgresServer.shared().createDatabase();
        Relay relay = relay(database, layout, delivered::release)) {
      relay.start();
      for (int i = 0; i < calls; i++) {
        if (i == calls / 3) { // by then it is known that writers call
          looks.set(0);
        }
        enqueue(database, layout, "k" + i);
        relay.wakeUp();
        awaitDelivery();
      }
      assertThat(looks.get()).isBetween(calls / 2, calls);
    }
  }

  private void goesWhenSettled(Layout layout) throws Exception {
    CountDownLatch sending = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Runnable delivery =
        () -> {
          sending.countDown();
          try {
            assertThat(goOn.await(10, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          delivered.release();
        };
    try (PostgresDatabase database = PostgresServer.shared().createDatabase();
        Relay relay = relay(database, layout, delivery, Duration.ofSeconds(10))) {
      relay.start();
      enqueue(database, layout, "k");
      relay.wakeUp();
      assertThat(sending.await(10, TimeUnit.SECONDS)).isTrue();
      enqueue(database, layout, "k");
      relay.wakeUp();
      long idleAt = System.nanoTime() + IDLE.toNanos();
      await().pollInterval(Duration.ofMillis(5)).until(() -> lookedAt.get() - idleAt > 0);
      goOn.countDown();
      awaitDelivery();
      long first = System.nanoTime();
      awaitDelivery();
      assertThat(Duration.ofNanos(System.nanoTime() - first))
          .as("rather than after a pause of the idle relay")
          .isLessThan(IDLE.dividedBy(2));
    }
  }
}
