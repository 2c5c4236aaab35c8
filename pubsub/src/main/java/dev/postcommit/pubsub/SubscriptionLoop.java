package dev.postcommit.pubsub;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.api.gax.rpc.UnauthenticatedException;
import dev.postcommit.consumer.internal.ReadingLoop;
import dev.postcommit.support.ErrorText;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that sees to it that messages are pulled, whatever happens: it goes on after every
 * failure, if need be with a new subscriber.
 *
 * <p>A subscriber goes on through an outage by itself, and tells nobody. So when one of its streams
 * ends, the loop asks after the subscription: what fails then is the problem, and is asked again
 * until there is an answer. Streams end now and then without an outage; then nothing is said.
 */
final class SubscriptionLoop extends ReadingLoop {
  private static final Logger log = LoggerFactory.getLogger(SubscriptionLoop.class);

  private static final Duration TICK = Duration.ofMillis(100);

  /** A stream that is refused is refused before this; one that waits for messages is silent. */
  private static final Duration PROBATION = Duration.ofSeconds(2);

  private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

  private final SubscriptionPlan plan;
  private final SubscriptionLookup lookup;
  private final Function<String, SubscriptionSession> sessions;
  private final Runnable atEnd;
  private volatile @Nullable SubscriptionSession session;

  /**
   * Pulls by sessions.
   *
   * @param sessions makes a session for a topic
   * @param atEnd what is to be done at the very end
   */
  SubscriptionLoop(
      SubscriptionPlan plan,
      SubscriptionLookup lookup,
      Function<String, SubscriptionSession> sessions,
      PulledLanes lanes,
      Runnable atEnd) {
    super(
        log,
        "reading subscription " + plan.subscription(),
        lanes,
        plan.closeTimeout(),
        LONGEST_RETRY);
    this.plan = plan;
    this.lookup = lookup;
    this.sessions = sessions;
    this.atEnd = atEnd;
  }

  /** How many pulled messages are not done. */
  int undone() {
    @Nullable SubscriptionSession current = session;
    return current == null ? 0 : current.undone();
  }

  @Override
  protected void ended() {
    atEnd.run();
  }

  @Override
  protected void read() {
    SubscriptionSession opened = sessions.apply(lookup.topic());
    session = opened;
    try {
      opened.open();
      watch(opened);
      // What is being handled is finished before anything of its key is given back: whoever else
      // got that could handle it first. The stream stays, for as long as it has messages of a
      // key, later ones of that key come to it and to nobody else.
      endLanes();
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

  /** Asks after the subscription until there is an answer. */
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

  /** What a subscriber ended with, as a problem if it is one. */
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
