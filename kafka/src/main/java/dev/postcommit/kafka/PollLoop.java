package dev.postcommit.kafka;

import dev.postcommit.inbox.internal.Trouble;
import dev.postcommit.internal.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The thread that polls, whatever happens: it never waits for handlers, and goes on after every
 * failure, if need be with a new Kafka consumer.
 */
final class PollLoop implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(PollLoop.class);

  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

  private final Supplier<ConsumerSession> sessions;
  private final Lanes lanes;
  private final Duration closeTimeout;
  private final Duration patience;
  private final Trouble trouble = new Trouble(log, "reading from Kafka");
  private final Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable ConsumerSession session;
  private volatile long deadline;

  /**
   * Polls by sessions.
   *
   * @param sessions makes a session that is subscribed
   * @param closeTimeout how long handlers may take when it is stopped
   * @param patience how long they may take when a session fails
   */
  PollLoop(
      Supplier<ConsumerSession> sessions, Lanes lanes, Duration closeTimeout, Duration patience) {
    this.sessions = sessions;
    this.lanes = lanes;
    this.closeTimeout = closeTimeout;
    this.patience = patience;
  }

  /** Begins to end; the time of the handlers runs from the first call. */
  synchronized void stop() {
    if (!isStopping()) {
      deadline = System.nanoTime() + closeTimeout.toNanos();
      stopping.countDown();
      lanes.stop();
    }
  }

  /** Why it cannot poll, if it cannot. */
  Optional<String> problem() {
    return trouble.reason();
  }

  /** How many fetched records are not done. */
  int undone() {
    @Nullable ConsumerSession current = session;
    return current == null ? 0 : current.undone();
  }

  @Override
  public void run() {
    while (!isStopping()) {
      try {
        ConsumerSession opened = sessions.get();
        session = opened;
        run(opened);
      } catch (Throwable e) {
        failed(e);
      }
    }
    endLanes();
  }

  private void run(ConsumerSession opened) {
    Duration forHandlers = patience;
    try {
      while (!isStopping()) {
        pollOnce(opened);
      }
      drain(opened);
      forHandlers = Duration.ZERO;
    } finally {
      opened.close(forHandlers);
      session = null;
    }
  }

  private void pollOnce(ConsumerSession opened) {
    try {
      opened.poll();
      trouble.over();
      backoff.reset();
    } catch (RetriableException e) {
      failed(e);
    } catch (InterruptException e) {
      clearInterrupt();
    }
  }

  /** Stays a member of the group while lanes finish what they are handling. */
  private void drain(ConsumerSession opened) {
    try {
      while (!lanes.haveEnded() && System.nanoTime() - deadline < 0) {
        opened.pollForNothing();
      }
    } catch (RuntimeException e) {
      log.debug("a poll failed while the consumer was being closed", e);
    }
    endLanes();
  }

  /** Waits for lanes to end, and interrupts them when their time is over. */
  private void endLanes() {
    clearInterrupt();
    lanes.end(deadline, closeTimeout);
    clearInterrupt();
  }

  private void failed(Throwable error) {
    if (needsAPerson(error)) {
      trouble.failed(error, Level.ERROR, "correct that; until then it is tried again and again");
    } else {
      trouble.failed(error);
    }
    log.debug("a poll failed", error);
    clearInterrupt();
    try {
      stopping.await(backoff.nextNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      clearInterrupt();
    }
  }

  /** Only {@link #stop} ends the loop: an interrupt is no one's to send. */
  private static void clearInterrupt() {
    if (Thread.interrupted()) {
      log.debug("an interrupt is ignored");
    }
  }

  private static boolean needsAPerson(Throwable error) {
    return error instanceof AuthenticationException
        || error instanceof AuthorizationException
        || error instanceof InvalidOffsetException
        || error instanceof InvalidTopicException
        || error instanceof FencedInstanceIdException
        || error instanceof UnsupportedVersionException
        || error instanceof ConfigException;
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }
}
