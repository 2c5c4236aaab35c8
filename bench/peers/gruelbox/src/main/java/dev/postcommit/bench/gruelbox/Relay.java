package dev.postcommit.bench.gruelbox;

import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.gruelbox.transactionoutbox.TransactionOutboxEntry;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that make the calls, and the one that looks for calls left over.
 *
 * <p>While it is stopped, calls that are handed in are dropped: they stay in the table, from where
 * they are taken after the next start.
 */
final class Relay implements Submitter {
  private static final Logger log = LoggerFactory.getLogger(Relay.class);

  /** As many as the pool has connections for beside the flush and 16 writers. */
  static final int THREADS = 23;

  static final int QUEUE = 16_384;
  static final int FLUSHED_AT_ONCE = 1_000;
  static final int PAUSE_MILLIS = 50;

  private volatile @Nullable ThreadPoolExecutor callers;
  private @Nullable Thread flusher;

  void start(TransactionOutbox outbox) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            new ThreadPoolExecutor.DiscardPolicy());
    callers = executor;
    Thread thread = new Thread(() -> flush(outbox, executor), "flush");
    flusher = thread;
    thread.start();
  }

  void stop() throws InterruptedException {
    ThreadPoolExecutor executor = callers;
    Thread thread = flusher;
    if (executor == null || thread == null) {
      return;
    }
    callers = null;
    thread.join();
    executor.getQueue().clear();
    executor.shutdown();
    while (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
      // A call that was begun is ended, by the producer's timeout at the latest.
    }
  }

  @Override
  public void submit(TransactionOutboxEntry entry, Consumer<TransactionOutboxEntry> call) {
    ThreadPoolExecutor executor = callers;
    if (executor != null) {
      executor.execute(() -> call.accept(entry));
    }
  }

  /** Flushes again and again, but takes no more than is to be called soon. */
  private void flush(TransactionOutbox outbox, ThreadPoolExecutor executor) {
    while (callers == executor) {
      try {
        boolean enough = executor.getQueue().size() >= FLUSHED_AT_ONCE;
        if (enough || !outbox.flush()) {
          Thread.sleep(PAUSE_MILLIS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) {
        log.error("Not flushed; trying again", e);
      }
    }
  }
}
