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
 * Sends what has failed, batch after batch while there is more, then again at intervals.
 *
 * <p>A batch is resubmitted in a transaction. The library marks each publication of it; without one
 * around them, each mark is a commit that the next one waits for.
 */
final class Resubmission {
  static final Duration INTERVAL = Duration.ofSeconds(10);
  static final int BATCH = 100;

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
      do {
        resubmitAll();
      } while (!stop.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void resubmitAll() {
    try {
      do {
        found = 0;
        transactions.executeWithoutResult(status -> failed.resubmit(options));
      } while (found == BATCH && stop.getCount() > 0);
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
