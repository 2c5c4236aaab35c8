package dev.postcommit.consumer.spi;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.support.Daemons;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.ErrorText;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes the expired marks of a consumer periodically. */
final class PeriodicPruning implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PeriodicPruning.class);

  private final EventConsumer consumer;
  private final Duration first;
  private final Duration interval;
  private final ScheduledThreadPoolExecutor executor;

  /**
   * Pruning that is not started.
   *
   * @param first the delay before the first time
   * @param interval the time between two
   */
  PeriodicPruning(EventConsumer consumer, Duration first, Duration interval) {
    this.consumer = consumer;
    this.first = first;
    this.interval = interval;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            Daemons.named("postcommit-" + consumer.name() + "-pruning"),
            new ThreadPoolExecutor.DiscardPolicy());
    this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  void start() {
    schedule(first);
  }

  /** The delay is up to a half longer, so that consumers that start together prune apart. */
  private void schedule(Duration delay) {
    long nanos = delay.toNanos();
    nanos += ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    var unused = executor.schedule(this::prune, nanos, TimeUnit.NANOSECONDS);
  }

  private void prune() {
    try {
      long count = consumer.prune();
      log.debug("{} pruned {} marks", consumer.name(), count);
    } catch (RuntimeException | Error e) {
      log.warn(
          "{} could not prune expired marks: {}; it is tried again within {}",
          consumer.name(),
          ErrorText.of(e),
          DurationText.spoken(interval.multipliedBy(3).dividedBy(2)));
    } finally {
      schedule(interval);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
