package dev.postcommit.bench.modulith;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.modulith.events.EventPublication;
import org.springframework.modulith.events.FailedEventPublications;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;

/**
 * Sends what was not sent after its commit: at first all that is incomplete, as the library does
 * when a service restarts and is set to, then at intervals what has failed.
 */
final class Resubmission {
  static final Duration INTERVAL = Duration.ofSeconds(1);
  static final int BATCH = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Resubmission.class);

  private final IncompleteEventPublications incomplete;
  private final FailedEventPublications failed;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "resubmission");

  Resubmission(IncompleteEventPublications incomplete, FailedEventPublications failed) {
    this.incomplete = incomplete;
    this.failed = failed;
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      incomplete.resubmitIncompletePublications(this::isToGo);
      while (!stop.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        resubmitFailed();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void resubmitFailed() {
    try {
      failed.resubmit(ResubmissionOptions.defaults().withBatchSize(BATCH).withFilter(this::isToGo));
    } catch (RuntimeException e) {
      LOG.warn("Failed publications are not resubmitted now", e);
    }
  }

  private boolean isToGo(EventPublication publication) {
    return stop.getCount() > 0;
  }

  void stop() throws InterruptedException {
    stop.countDown();
    thread.join();
  }
}
