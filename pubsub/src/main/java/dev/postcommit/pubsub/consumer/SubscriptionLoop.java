package dev.postcommit.pubsub.consumer;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.api.gax.rpc.UnauthenticatedException;
import dev.postcommit.consumer.spi.ReadingLoop;
import dev.postcommit.pubsub.internal.ChannelReconnects;
import dev.postcommit.support.ErrorText;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that keeps messages coming. It goes on after every failure, if need be with a new
 * subscriber.
 *
 * <p>A subscriber goes on through an outage by itself, and reports nothing. So when one of its
 * streams ends, the loop asks for the subscription. If that fails, it is the problem, and the loop
 * asks again until there is an answer. Streams also end without an outage; then nothing is logged.
 */
final class SubscriptionLoop extends ReadingLoop {
  private static final Logger log = LoggerFactory.getLogger(SubscriptionLoop.class);

  private static final Duration TICK = Duration.ofMillis(100);

  /**
   * A stream that is refused is refused within this time; one that waits for messages is silent.
   */
  private static final Duration PROBATION = Duration.ofSeconds(2);

  private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

  private final SubscriptionPlan plan;
  private final SubscriptionLookup lookup;
  private final Function<String, SubscriptionSession> sessions;
  private final ChannelReconnects reconnects;
  private volatile @Nullable SubscriptionSession session;

  /**
   * A loop that is not started.
   *
   * @param sessions creates a session for a topic
   * @param reconnects closed at the end
   */
  SubscriptionLoop(
      String name,
      SubscriptionPlan plan,
      SubscriptionLookup lookup,
      Function<String, SubscriptionSession> sessions,
      MessageDispatcher workers,
      ChannelReconnects reconnects) {
    super(
        log, "reading subscription " + plan.subscription(), name + "-pull", workers, LONGEST_RETRY);
    this.plan = plan;
    this.lookup = lookup;
    this.sessions = sessions;
    this.reconnects = reconnects;
  }

  @Override
  protected int undone() {
    @Nullable SubscriptionSession current = session;
    return current == null ? 0 : current.undone();
  }

  @Override
  protected void release() {
    reconnects.close();
  }

  @Override
  protected void read() {
    SubscriptionSession opened = sessions.apply(lookup.topic());
    session = opened;
    try {
      opened.open();
      watch(opened);
      // Handlers finish before any message of their keys is given back: another consumer could
      // handle it first. The stream stays open, because as long as it has messages of a key,
      // Pub/Sub
      // sends later ones of that key to no other.
      awaitWorkers();
    } finally {
      opened.close();
      session = null;
    }
  }

  private void watch(SubscriptionSession opened) {
    long silentSince = System.nanoTime();
    while (!sleep(TICK.toNanos())) {
      @Nullable Throwable failure = opened.failure();
      if (failure != null) {
        throw explained(failure);
      }
      if (opened.takeBroken()) {
        probe();
        silentSince = System.nanoTime();
      } else if (opened.hasReceived() || System.nanoTime() - silentSince > PROBATION.toNanos()) {
        works();
      }
    }
  }

  /** Asks for the subscription until there is an answer. */
  private void probe() {
    while (!isStopping()) {
      try {
        lookup.topic();
        return;
      } catch (ApiException e) {
        failed(e);
      }
    }
  }

  /** The error that ended a subscriber, as a problem if it is one. */
  private RuntimeException explained(Throwable failure) {
    if (failure instanceof PermissionDeniedException) {
      return new SubscriptionProblem.Forbidden(
          "subscription %s may not be read; grant roles/pubsub.subscriber on it (%s)"
              .formatted(plan.subscription(), ErrorText.of(failure)));
    }
    return failure instanceof RuntimeException known
        ? known
        : new IllegalStateException(ErrorText.of(failure), failure);
  }

  @Override
  protected boolean needsAPerson(Throwable error) {
    return error instanceof SubscriptionProblem
        || error instanceof PermissionDeniedException
        || error instanceof UnauthenticatedException
        || error instanceof InvalidArgumentException
        || error instanceof NotFoundException
        || !(error instanceof ApiException);
  }
}
