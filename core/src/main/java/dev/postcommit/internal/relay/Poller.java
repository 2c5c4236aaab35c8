package dev.postcommit.internal.relay;

import dev.postcommit.internal.relay.PollPacing.Cause;
import dev.postcommit.internal.relay.health.DatabaseHealth.Work;
import dev.postcommit.internal.relay.health.TableReadiness;
import dev.postcommit.internal.relay.health.WakeUp;
import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Claims the next batch for whichever lane asks, one lane at a time.
 *
 * <p>{@link PollPacing} says when; this class waits until then, and until a claim makes sense: not
 * while the broker is away, before the table fits its layout, while an operator has paused it, or
 * right after a settlement failed.
 */
final class Poller {
  /** How often a paused relay probes its broker; the end of the pause wakes it up. */
  private static final long PAUSED_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);

  /** How long to wait for another session before a claim is tried without one. */
  private static final Duration LONGEST_SESSION_WAIT = Duration.ofMillis(500);

  private final RelayContext context;
  private final ClaimRequest request;
  private final TableReadiness readiness;

  private final ReentrantLock oneLane = new ReentrantLock(true);
  private final WakeUp wakeUp = new WakeUp();
  private final RetryWait retries = new RetryWait(wakeUp);
  private final PollPacing pacing;
  private final BrokerProbe broker;
  private final Backoff claimBackoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private final Backoff settlingBackoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private volatile boolean claiming;
  private boolean isIdleForPause;
  private boolean misfits;

  /** Events that were taken, and when the claim began. */
  private record Claiming(Taken taken, long startedAt) {}

  /**
   * A poller of the relay's table.
   *
   * @param readiness what keeps the table from being used
   */
  Poller(RelayContext context, TableReadiness readiness) {
    this.context = context;
    this.readiness = readiness;
    this.broker = new BrokerProbe(context, retries);
    RelayConfig config = context.config();
    this.pacing = new PollPacing(context.store().pace(), config.pollInterval(), System.nanoTime());
    this.request = request(config);
  }

  /** What a relay claims. */
  static ClaimRequest request(RelayConfig config) {
    return new ClaimRequest(
        config.batchSize(),
        config.batchBytes(),
        config.lease(),
        config.retryPolicy().maxAttempts(),
        config.ordering(),
        config.namespace(),
        config.tenant());
  }

  /** There may be events: a writer has committed. */
  void wakeUp() {
    pacing.wokenUp();
    wakeUp.signal();
  }

  /** A batch is settled; what had to wait for it can be taken. */
  void settled(Batch batch) {
    if (pacing.settled(context.store().frees(batch.claim()))) {
      wakeUp.signal();
    }
  }

  /** Ends the present wait for broker or database; if a try is under way, another follows it. */
  void retryNow() {
    retries.retryNow();
  }

  void stop() {
    retries.stop();
  }

  /** What is known of the broker. */
  BrokerProbe broker() {
    return broker;
  }

  /** Whether a claim is being made, which began before a pause if there is one. */
  boolean isClaiming() {
    return claiming;
  }

  /** The next batch, as soon as there is one, or null once stopped. */
  @Nullable Batch next() throws InterruptedException {
    for (Claiming claiming = take(); claiming != null; claiming = take()) {
      Batch batch = read(claiming);
      if (batch != null) {
        return batch;
      }
    }
    return null;
  }

  /** Takes events, one lane at a time; null once stopped. */
  private @Nullable Claiming take() throws InterruptedException {
    oneLane.lockInterruptibly();
    try {
      while (!retries.isStopped()) {
        awaitPoll();
        context.session().awaitAnother(LONGEST_SESSION_WAIT);
        if (broker.await() && !isPaused() && canSettle()) {
          Claiming claiming = poll();
          if (claiming != null) {
            return claiming;
          }
        }
      }
      return null;
    } finally {
      oneLane.unlock();
    }
  }

  /** Waits until it is time for the next poll. */
  private void awaitPoll() throws InterruptedException {
    long left = pacing.untilPoll(System.nanoTime());
    if (left > 0 && !retries.isStopped() && wakeUp.await(left)) {
      pacing.hurry();
    }
    long gathering = pacing.untilAllowed(System.nanoTime());
    if (gathering > 0 && !retries.isStopped()) {
      context.shutdown().sleep(gathering);
    }
  }

  /** Whether the table is paused; if so, waits for a while or until that changes. */
  private boolean isPaused() throws InterruptedException {
    if (!context.pauseState().isPaused()) {
      isIdleForPause = false;
      return false;
    }
    if (!isIdleForPause) {
      context.store().releaseIdle();
      isIdleForPause = true;
    }
    pacing.hurry();
    wakeUp.await(PAUSED_NANOS);
    return true;
  }

  /** Whether no settlement failed since the last claim; if one did, waits for a while. */
  private boolean canSettle() throws InterruptedException {
    if (!context.database().hasFailedToSettle()) {
      return true;
    }
    retries.attempt();
    retries.sleep(settlingBackoff.nextNanos());
    return false;
  }

  private @Nullable Claiming poll() throws InterruptedException {
    pacing.begin(System.nanoTime());
    retries.attempt();
    Work work = Work.CHECK;
    try {
      if (!tableFits()) {
        retries.sleep(claimBackoff.nextNanos());
        return null;
      }
      work = Work.CLAIM;
      // Taken after the check, by which it is known which run of the server answers.
      long startedAt = System.nanoTime();
      @Nullable Taken taken = claimUnlessPaused();
      if (taken == null) {
        wakeUp.await(context.store().pace().toNanos());
        return null;
      }
      context.database().worked(Work.CLAIM);
      if (taken.size() == 0) {
        context.database().idle();
        claimBackoff.reset();
        return null;
      }
      return new Claiming(taken, startedAt);
    } catch (RuntimeException e) {
      failed(work, e);
      retries.sleep(claimBackoff.nextNanos());
      return null;
    }
  }

  /** Null if the table is paused: once a pause is seen with no claim under way, none follows. */
  private @Nullable Taken claimUnlessPaused() throws InterruptedException {
    claiming = true;
    try {
      return context.pauseState().allowsClaims() ? claim() : null;
    } finally {
      claiming = false;
    }
  }

  private Taken claim() throws InterruptedException {
    // Wake-ups until now are for this poll.
    wakeUp.await(0);
    Cause cause = pacing.takeCause();
    ClaimRequest wanted = request();
    Taken taken = context.store().take(wanted);
    context.listener().polled(taken.size());
    boolean leaves = taken.leavesSome();
    if (pacing.end(taken.size(), wanted.batchSize(), leaves, cause, System.nanoTime())) {
      wakeUp.signal();
    }
    return taken;
  }

  private ClaimRequest request() {
    int limit = context.database().claimLimit();
    if (limit >= request.batchSize()) {
      settlingBackoff.reset();
      return request;
    }
    return request.withBatchSize(limit);
  }

  /** Reads what was taken, while other lanes go on taking; null if it came to nothing. */
  private @Nullable Batch read(Claiming claiming) throws InterruptedException {
    try {
      long leasedAt = claiming.taken().leasedAt().orElse(claiming.startedAt());
      Taken taken = claiming.taken();
      Batch batch = new Batch(taken.read(), leasedAt, request.lease(), taken.undecided());
      context.database().worked(Work.READ);
      claimBackoff.reset();
      if (batch.events().isEmpty()) {
        return null;
      }
      long took = System.nanoTime() - claiming.startedAt();
      context.listener().claimed(batch.events().size(), Duration.ofNanos(took));
      return batch;
    } catch (RuntimeException e) {
      failed(Work.READ, e);
      context.shutdown().sleep(claimBackoff.nextNanos());
      return null;
    }
  }

  private void failed(Work work, RuntimeException e) {
    if (context.database().failed(work, e)) {
      readiness.interrupted();
    }
  }

  /** Whether the table fits its layout; once it does not, the store keeps nothing of it. */
  private boolean tableFits() {
    if (context.database().isDoubtful()) {
      readiness.doubt();
    }
    List<String> found = readiness.problems();
    if (found.isEmpty()) {
      context.database().over(Work.CHECK);
    } else {
      context.database().misfits(String.join("; ", found));
      if (!misfits) {
        context.store().releaseIdle();
      }
    }
    misfits = !found.isEmpty();
    return !misfits;
  }
}
