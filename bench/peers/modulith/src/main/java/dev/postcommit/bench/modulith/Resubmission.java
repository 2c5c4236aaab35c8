package dev.postcommit.bench.modulith;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.modulith.events.EventPublication;
import org.springframework.modulith.events.FailedEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Sends what has failed, batch after batch while there is more, then at intervals that grow.
 *
 * <p>A batch is what is missing to its size among those resubmitted and not yet sent.
 *
 * <p>A batch is resubmitted in a transaction. The library marks each publication of it; without one
 * around them, each mark is a commit that the next one waits for.
 */
final class Resubmission {
  static final Duration SHORTEST = Duration.ofMillis(50);
  static final Duration LONGEST = Duration.ofSeconds(10);
  static final int BATCH = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Resubmission.class);

  private final FailedEventPublications failed;
  private final TransactionTemplate transactions;
  private final ResubmissionOptions options =
      ResubmissionOptions.defaults().withBatchSize(BATCH).withFilter(this::isToGo);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "resubmission");
  private int found;

  Resubmission(FailedEventPublications failed, TransactionTemplate transactions) {
    this.failed = failed;
    this.transactions = transactions;
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      long delay = SHORTEST.toMillis();
      do {
        resubmit();
        delay = found > 0 ? SHORTEST.toMillis() : Math.min(2 * delay, LONGEST.toMillis());
      } while (!stop.await(delay, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void resubmit() {
    found = 0;
    try {
      transactions.executeWithoutResult(status -> failed.resubmit(options));
    } catch (RuntimeException e) {
      LOG.warn("Failed publications are not resubmitted now", e);
    }
  }

  private boolean isToGo(EventPublication publication) {
    found++;
    return stop.getCount() > 0;
  }

  void stop() throws InterruptedException {
    stop.countDown();
    thread.join();
  }
}
