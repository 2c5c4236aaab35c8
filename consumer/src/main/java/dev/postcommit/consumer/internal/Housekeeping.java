package dev.postcommit.consumer.internal;

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

/** Has a consumer forget, now and then, what it need not remember any more. */
public final class Housekeeping implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

  private final EventConsumer consumer;
  private final Duration first;
  private final Duration interval;
  private final ScheduledThreadPoolExecutor executor;

  /**
   * Housekeeping that is not started.
   *
   * @param first after which time it begins
   * @param interval how often it is done
   */
  public Housekeeping(EventConsumer consumer, Duration first, Duration interval) {
    this.consumer = consumer;
    this.first = first;
    this.interval = interval;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            Daemons.named("postcommit-" + consumer.name() + "-housekeeping"),
            new ThreadPoolExecutor.DiscardPolicy());
    this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Begins. */
  public void start() {
    later(first);
  }

  /** Consumers that start together do not do it together: the delay is up to a half longer. */
  private void later(Duration delay) {
    long nanos = delay.toNanos();
    nanos += ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    var unused = executor.schedule(this::prune, nanos, TimeUnit.NANOSECONDS);
  }

  private void prune() {
    try {
      long count = consumer.prune();
      log.debug("{} forgot {} events", consumer.name(), count);
    } catch (RuntimeException | Error e) {
      log.warn(
          "{} could not forget events whose time is over: {}; it is tried again within {}",
          consumer.name(),
          ErrorText.of(e),
          DurationText.spoken(interval.multipliedBy(3).dividedBy(2)));
    } finally {
      later(interval);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
