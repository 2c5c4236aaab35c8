package dev.postcommit.kafka.consumer;

import dev.postcommit.consumer.spi.ReadingLoop;
import dev.postcommit.kafka.internal.ClientErrors;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that polls. It never waits for handlers, and goes on after every failure, if need be
 * with a new Kafka consumer.
 */
final class PollLoop extends ReadingLoop {
  private static final Logger log = LoggerFactory.getLogger(PollLoop.class);

  private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

  private final Supplier<ConsumerSession> sessions;
  private final Duration patience;
  private volatile @Nullable ConsumerSession session;

  /**
   * A loop that is not started.
   *
   * @param sessions creates a session that is subscribed
   * @param patience how long handlers may take when a session fails
   */
  PollLoop(
      String name,
      Supplier<ConsumerSession> sessions,
      RecordDispatcher workers,
      Duration patience) {
    super(log, "reading from Kafka", name + "-poll", workers, LONGEST_RETRY);
    this.sessions = sessions;
    this.patience = patience;
  }

  @Override
  protected int undone() {
    @Nullable ConsumerSession current = session;
    return current == null ? 0 : current.undone();
  }

  @Override
  protected OptionalLong lag() {
    @Nullable ConsumerSession current = session;
    return current == null ? OptionalLong.empty() : current.lag();
  }

  @Override
  protected void read() {
    ConsumerSession opened = sessions.get();
    session = opened;
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
      Optional<TimeoutException> silence = opened.silence();
      if (silence.isPresent()) {
        report(silence.get());
      } else if (opened.hasHadAnswer()) {
        works();
      }
    } catch (RetriableException e) {
      failed(e);
    } catch (InterruptException e) {
      clearInterrupt();
    }
  }

  /** Stays a member of the group while workers finish what they are handling. */
  private void drain(ConsumerSession opened) {
    try {
      while (handlersHaveTime()) {
        opened.pollForNothing();
      }
    } catch (RuntimeException e) {
      log.debug("a poll failed while the consumer was being closed", e);
    }
    awaitWorkers();
  }

  @Override
  protected Optional<String> advice(Throwable error) {
    return ClientErrors.advice(error);
  }

  @Override
  protected boolean needsAPerson(Throwable error) {
    return error instanceof AuthenticationException
        || error instanceof AuthorizationException
        || error instanceof InvalidOffsetException
        || error instanceof InvalidTopicException
        || error instanceof FencedInstanceIdException
        || error instanceof UnsupportedVersionException
        || error instanceof ConfigException;
  }
}
