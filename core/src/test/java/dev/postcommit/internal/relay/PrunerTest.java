package dev.postcommit.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.PostcommitException;
import dev.postcommit.relay.RelayListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The schedule by which a relay prunes. */
@Timeout(30)
class PrunerTest {
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final AtomicBoolean ready = new AtomicBoolean(true);
  private final AtomicInteger asked = new AtomicInteger();
  private Thread thread = new Thread(() -> {});
  private Pruner pruner = pruner(() -> 0);

  private final class Listener implements RelayListener {
    @Override
    public void pruned(long events) {
      heard.add("pruned " + events);
    }

    @Override
    public void pruneFailed(String reason) {
      heard.add(reason);
    }
  }

  private boolean isReady() {
    asked.incrementAndGet();
    return ready.get();
  }

  private Pruner pruner(LongSupplier prune) {
    return new Pruner(prune, this::isReady, new Listener(), Duration.ofDays(30), MOMENT, MOMENT);
  }

  private void start(LongSupplier prune) {
    pruner = pruner(prune);
    thread = new Thread(pruner, "pruner");
    thread.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    pruner.stop();
    thread.interrupt();
    thread.join();
  }

  @Test
  @DisplayName("whatever a run throws, the next one comes, and listeners hear of each")
  void theScheduleGoesOn() throws InterruptedException {
    List<LongSupplier> runs =
        List.of(
            () -> {
              throw new PostcommitException("denied; GRANT DELETE");
            },
            () -> {
              throw new IllegalStateException("a bug");
            },
            () -> {
              throw new NoClassDefFoundError("a jar");
            },
            () -> {
              throw new StackOverflowError();
            },
            () -> {
              Thread.currentThread().interrupt();
              return 1;
            },
            () -> 7);
    AtomicInteger run = new AtomicInteger();
    start(() -> runs.get(Math.min(run.getAndIncrement(), runs.size() - 1)).getAsLong());

    for (String next :
        List.of(
            "denied; GRANT DELETE",
            "IllegalStateException: a bug",
            "NoClassDefFoundError: a jar",
            "StackOverflowError",
            "pruned 1",
            "pruned 7",
            "pruned 7")) {
      assertThat(heard.take()).isEqualTo(next);
    }
    assertThat(thread.isAlive()).isTrue();
  }

  @Test
  @DisplayName("nothing is pruned while the table may not be touched, and soon after it may")
  void itWaitsForTheTable() throws InterruptedException {
    ready.set(false);
    start(() -> 3);
    while (asked.get() < 3) {
      Thread.onSpinWait();
    }
    assertThat(heard).isEmpty();

    ready.set(true);

    assertThat(heard.take()).isEqualTo("pruned 3");
  }

  @Test
  @DisplayName("a run is cut short when the relay closes, and that is no failure")
  void aRunIsCutShort() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    start(
        () -> {
          begun.countDown();
          try {
            Thread.sleep(Long.MAX_VALUE);
          } catch (InterruptedException e) {
            throw new PostcommitException("interrupted", e);
          }
          return 0;
        });
    begun.await();

    stop();

    assertThat(heard).isEmpty();
  }
}
