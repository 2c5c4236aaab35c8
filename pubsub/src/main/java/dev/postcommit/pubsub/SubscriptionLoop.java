package dev.postcommit.pubsub;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.api.gax.rpc.UnauthenticatedException;
import dev.postcommit.inbox.internal.Trouble;
import dev.postcommit.internal.Backoff;
import dev.postcommit.internal.ErrorText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The thread that sees to it that messages are pulled, whatever happens: it goes on after every
 * failure, if need be with a new subscriber.
 *
 * <p>A subscriber goes on through an outage by itself, and tells nobody. So when one of its streams
 * ends, the loop asks after the subscription: what fails then is the problem, and is asked again
 * until there is an answer. Streams end now and then without an outage; then nothing is said.
 */
final class SubscriptionLoop implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(SubscriptionLoop.class);

  /** How long handlers may take to react to an interrupt. */
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(1);

  private static final Duration TICK = Duration.ofMillis(100);

  /** A stream that is refused is refused before this; one that waits for messages is silent. */
  private static final Duration PROBATION = Duration.ofSeconds(2);

  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

  private final SubscriptionPlan plan;
  private final SubscriptionLookup lookup;
  private final Function<String, SubscriptionSession> sessions;
  private final PulledLanes lanes;
  private final Runnable atEnd;
  private final Trouble trouble;
  private final Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable SubscriptionSession session;
  private volatile long deadline;
  private boolean lanesEnded;

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
    this.plan = plan;
    this.lookup = lookup;
    this.sessions = sessions;
    this.lanes = lanes;
    this.atEnd = atEnd;
    this.trouble = new Trouble(log, "reading subscription " + plan.subscription());
  }

  /** Begins to end; the time of the handlers runs from the first call. */
  synchronized void stop() {
    if (!isStopping()) {
      deadline = System.nanoTime() + plan.closeTimeout().toNanos();
      stopping.countDown();
      lanes.stop();
    }
  }

  /** Why it cannot pull, if it cannot. */
  Optional<String> problem() {
    return trouble.reason();
  }

  /** How many pulled messages are not done. */
  int undone() {
    @Nullable SubscriptionSession current = session;
    return current == null ? 0 : current.undone();
  }

  @Override
  public void run() {
    while (!isStopping()) {
      try {
        pull(sessions.apply(lookup.topic()));
      } catch (Throwable e) {
        failed(e);
      }
    }
    endLanes();
    atEnd.run();
  }

  private void pull(SubscriptionSession opened) {
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

  private void works() {
    trouble.over();
    backoff.reset();
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

  /** Waits for lanes to end, and interrupts them when their time is over. */
  private void endLanes() {
    if (lanesEnded) {
      return;
    }
    lanesEnded = true;
    clearInterrupt();
    try {
      if (!lanes.awaitEnd(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
        log.warn("handlers have not ended within {} and are interrupted", plan.closeTimeout());
        lanes.interrupt();
        lanes.awaitEnd(LAST_PATIENCE);
      }
    } catch (InterruptedException e) {
      clearInterrupt();
    }
  }

  private void failed(Throwable error) {
    if (needsAPerson(error)) {
      trouble.failed(error, Level.ERROR, "correct that; until then it is tried again and again");
    } else {
      trouble.failed(error);
    }
    log.debug("reading {} failed", plan.subscription(), error);
    sleep(backoff.nextNanos());
  }

  private static boolean needsAPerson(Throwable error) {
    return error instanceof SubscriptionProblem
        || error instanceof PermissionDeniedException
        || error instanceof UnauthenticatedException
        || error instanceof InvalidArgumentException
        || error instanceof NotFoundException
        || !(error instanceof ApiException);
  }

  /** Waits; true if it is to stop. */
  private boolean sleep(long nanos) {
    clearInterrupt();
    try {
      return stopping.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      clearInterrupt();
      return isStopping();
    }
  }

  /** Only {@link #stop} ends the loop: an interrupt is no one's to send. */
  private static void clearInterrupt() {
    if (Thread.interrupted()) {
      log.debug("an interrupt is ignored");
    }
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }
}
