package dev.postcommit.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.inbox.Begin;
import dev.postcommit.consumer.inbox.Begin.Proceed;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Mark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;

/** The stores of an {@link IdempotencyContract}, and short ways to use them. */
public abstract class IdempotencyFixture {
  static final Duration LONG = Duration.ofHours(1);
  static final Duration SHORT = Duration.ofMillis(300);
  private static final int THREADS = 16;

  private final List<IdempotencyStore> opened = new ArrayList<>();

  IdempotencyFixture() {}

  /**
   * Opens a store over the same marks as others for the same consumer.
   *
   * @param inProgressTime how long an event stays in progress
   * @param ttl how long an event stays processed, at the longest until it is pruned
   */
  protected abstract IdempotencyStore open(String consumer, Duration inProgressTime, Duration ttl);

  /** A new event id that the store can keep. */
  protected String newId() {
    return UUID.randomUUID().toString();
  }

  /** Ids at the limits of what the store can keep. */
  protected abstract List<String> unusualIds();

  /** Closes what the test opened. */
  @AfterEach
  protected final void closeStores() {
    opened.forEach(IdempotencyStore::close);
  }

  IdempotencyStore store(Duration inProgressTime) {
    return store("inventory", inProgressTime, LONG);
  }

  IdempotencyStore store(String consumer, Duration inProgressTime, Duration ttl) {
    IdempotencyStore store = open(consumer, inProgressTime, ttl);
    opened.add(store);
    return store;
  }

  static Begin begin(IdempotencyStore store, String id) {
    return store.begin("inventory", id);
  }

  static Mark proceed(IdempotencyStore store, String id) {
    Begin begin = begin(store, id);
    assertThat(begin).isInstanceOf(Proceed.class);
    return ((Proceed) begin).mark();
  }

  /** Begins once the mark of another is over. */
  static Mark awaitProceed(IdempotencyStore store, String id) {
    List<Begin> last = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(20))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              last.add(begin(store, id));
              return last.get(last.size() - 1) instanceof Proceed;
            });
    return ((Proceed) last.get(last.size() - 1)).mark();
  }

  static boolean complete(IdempotencyStore store, Mark mark) {
    return store.complete(mark).toCompletableFuture().orTimeout(30, SECONDS).join();
  }

  /** What a thread of a race does. */
  @FunctionalInterface
  interface Racer {
    void run(int thread) throws Exception;
  }

  /** Runs on many threads that start at the same moment. */
  static void atOnce(Racer racer) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CountDownLatch start = new CountDownLatch(THREADS);
      List<Callable<Void>> racers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        racers.add(
            () -> {
              start.countDown();
              start.await();
              racer.run(thread);
              return null;
            });
      }
      for (Future<Void> result : threads.invokeAll(racers)) {
        result.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
