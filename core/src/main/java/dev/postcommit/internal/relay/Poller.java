package dev.postcommit.internal.relay;

import dev.postcommit.internal.Backoff;
import dev.postcommit.internal.relay.Rhythm.Cause;
import dev.postcommit.internal.relay.health.Availability;
import dev.postcommit.internal.relay.health.DatabaseHealth;
import dev.postcommit.internal.relay.health.DatabaseHealth.Work;
import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.internal.relay.health.OwnSession;
import dev.postcommit.internal.relay.health.Shutdown;
import dev.postcommit.internal.relay.health.Signal;
import dev.postcommit.internal.relay.health.TableFit;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next batch for whichever lane asks, one lane at a time.
 *
 * <p>How soon it asks again is for its {@link Rhythm} to say. While the broker is away nothing is
 * claimed, nor before the table fits its layout, nor while an operator has paused it.
 */
final class Poller {
  /** How often a relay that is paused looks after its broker; its end wakes it up. */
  private static final long PAUSED_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_DATABASE_RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_BROKER_PROBE = Duration.ofSeconds(2);

  /** How long a publisher that is {@linkplain #askBroker asked} may take to go on. */
  private static final Duration REPLACEMENT = Duration.ofSeconds(3);

  private final RelayStore store;
  private final Publisher publisher;
  private final RelayListener listener;
  private final Availability broker;
  private final DatabaseHealth database;
  private final ClaimRequest request;
  private final long shortestPause;
  private final Lock handover;
  private final Pausing pausing;
  private final Shutdown shutdown;
  private final OwnSession session;
  private final TableFit fit;

  private final ReentrantLock turn = new ReentrantLock(true);
  private final Signal signal = new Signal();
  private final Backoff databaseBackoff = new Backoff(FIRST_RETRY, LONGEST_DATABASE_RETRY);
  private final Backoff settlingBackoff = new Backoff(FIRST_RETRY, LONGEST_DATABASE_RETRY);
  private final Backoff brokerBackoff = new Backoff(FIRST_RETRY, LONGEST_BROKER_PROBE);
  private final AtomicLong nudges = new AtomicLong();
  private final Prompts prompts = new Prompts();
  private final Rhythm rhythm;
  private volatile boolean stopped;
  private volatile boolean claiming;
  private long heardNudges;
  private volatile boolean probed;
  private volatile @Nullable Long askedAt;
  private boolean resting;
  private boolean misfits;

  /** How long is waited for another session before a claim is tried without one. */
  private static final Duration LONGEST_SESSION_WAIT = Duration.ofMillis(500);

  /** Events that were taken, and when the asking for them began. */
  private record Claiming(Taken taken, long startedAt) {}

  /**
   * A poller of the relay's table.
   *
   * @param fit tells what keeps the table from being used
   */
  Poller(Parts parts, TableFit fit) {
    this.fit = fit;
    this.store = parts.store();
    this.publisher = parts.publisher();
    this.listener = parts.listener();
    this.broker = parts.broker();
    this.database = parts.database();
    this.handover = parts.handover().writeLock();
    this.pausing = parts.pausing();
    this.shutdown = parts.shutdown();
    this.session = parts.session();
    RelayConfig config = parts.config();
    this.shortestPause = store.pace().toNanos();
    this.rhythm = new Rhythm(store.pace(), config.pollInterval(), System.nanoTime());
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
    prompts.call();
    signal.call();
  }

  /** A batch is settled; what had to wait for it can be taken. */
  void settled(Batch batch) {
    if (prompts.settled(store.frees(batch.claim()))) {
      signal.call();
    }
  }

  /** Ends the present wait for broker or database; if a try is under way, another follows it. */
  void retryNow() {
    nudges.incrementAndGet();
    signal.call();
  }

  void stop() {
    stopped = true;
    signal.call();
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
    turn.lockInterruptibly();
    try {
      while (!stopped) {
        pause();
        session.awaitAnother(LONGEST_SESSION_WAIT);
        if (!stopped && brokerIsThere() && !isPaused() && canSettle()) {
          Claiming claiming = tryTake();
          if (claiming != null) {
            return claiming;
          }
        }
      }
      return null;
    } finally {
      turn.unlock();
    }
  }

  /** Whether no settlement failed since the last claim; if one did, waits for a while. */
  private boolean canSettle() throws InterruptedException {
    if (!database.hasFailedToSettle()) {
      return true;
    }
    heardNudges = nudges.get();
    sleep(settlingBackoff.nextNanos());
    return false;
  }

  /** Whether the table is paused; if so, waits for a while or until that changes. */
  private boolean isPaused() throws InterruptedException {
    if (!pausing.isPaused()) {
      resting = false;
      return false;
    }
    if (!resting) {
      store.rest();
      resting = true;
    }
    rhythm.cut();
    signal.await(PAUSED_NANOS);
    return true;
  }

  private void pause() throws InterruptedException {
    long left = rhythm.left(System.nanoTime());
    if (left > 0 && !stopped && signal.await(left)) {
      rhythm.cut();
    }
    long gathering = rhythm.gathering(System.nanoTime());
    if (gathering > 0 && !stopped) {
      shutdown.sleep(gathering);
    }
  }

  private @Nullable Claiming tryTake() throws InterruptedException {
    long startedAt = System.nanoTime();
    rhythm.looks(startedAt);
    heardNudges = nudges.get();
    Work work = Work.CHECK;
    try {
      if (!tableFits()) {
        sleep(databaseBackoff.nextNanos());
        return null;
      }
      work = Work.CLAIM;
      // From after the check, which tells the run of the server that is there.
      long claimsAt = System.nanoTime();
      @Nullable Taken taken = lookUnlessPaused();
      if (taken == null) {
        signal.await(shortestPause);
        return null;
      }
      database.worked(Work.CLAIM);
      if (taken.size() == 0) {
        database.idle();
        databaseBackoff.reset();
        return null;
      }
      return new Claiming(taken, claimsAt);
    } catch (RuntimeException e) {
      failed(work, e);
      sleep(databaseBackoff.nextNanos());
      return null;
    }
  }

  /** Null if the table is paused: whoever sees that and no claim will see none. */
  private @Nullable Taken lookUnlessPaused() throws InterruptedException {
    claiming = true;
    try {
      return pausing.allowsClaims() ? look() : null;
    } finally {
      claiming = false;
    }
  }

  /** Whether a claim is being made, which began before a pause if there is one. */
  boolean isClaiming() {
    return claiming;
  }

  private Taken look() throws InterruptedException {
    // Calls until now are for this look.
    signal.await(0);
    Cause cause = prompts.look();
    ClaimRequest wanted = request();
    Taken taken = store.take(wanted);
    boolean leavesSome = taken.leavesSome();
    if (prompts.looked(leavesSome)) {
      signal.call();
    }
    listener.looked(taken.size());
    rhythm.looked(taken.size(), wanted.batchSize(), leavesSome, cause, System.nanoTime());
    return taken;
  }

  private ClaimRequest request() {
    int limit = database.claimLimit();
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
      database.worked(Work.READ);
      databaseBackoff.reset();
      if (batch.events().isEmpty()) {
        return null;
      }
      long took = System.nanoTime() - claiming.startedAt();
      listener.claimed(batch.events().size(), Duration.ofNanos(took));
      return batch;
    } catch (RuntimeException e) {
      failed(Work.READ, e);
      shutdown.sleep(databaseBackoff.nextNanos());
      return null;
    }
  }

  private void failed(Work work, RuntimeException e) {
    if (database.failed(work, e)) {
      fit.interrupted();
    }
  }

  /** Whether the table fits its layout; if it does not any more, nothing is kept of it. */
  private boolean tableFits() {
    if (database.isDoubtful()) {
      fit.doubt();
    }
    List<String> found = fit.problems();
    if (found.isEmpty()) {
      database.over(Work.CHECK);
    } else {
      database.misfits(String.join("; ", found));
      if (!misfits) {
        store.rest();
      }
    }
    misfits = !found.isEmpty();
    return !misfits;
  }

  /** The broker took something: if it is lost again, that is another outage. */
  void brokerTook() {
    brokerBackoff.reset();
  }

  /** Has the broker asked before the next claim, as a publisher may need that to go on. */
  void askBroker() {
    askedAt = System.nanoTime();
    probed = false;
  }

  /** Whether the broker takes messages, and its publisher is just replacing what it sends with. */
  private boolean isBeingReplaced() {
    @Nullable Long asked = askedAt;
    return broker.isAvailable()
        && asked != null
        && System.nanoTime() - asked < REPLACEMENT.toNanos();
  }

  /** Waits until the broker answers, if it was lost or was never asked. */
  private boolean brokerIsThere() throws InterruptedException {
    while (!stopped) {
      if (!broker.isAvailable()) {
        // A broker that answers and takes nothing is given more and more time.
        sleep(brokerBackoff.nextNanos());
      } else if (probed) {
        return true;
      }
      Optional<String> problem = problem();
      if (problem.isEmpty()) {
        probed = true;
        broker.regained();
        return true;
      }
      if (isBeingReplaced()) {
        sleep(FIRST_RETRY.toNanos());
      } else {
        broker.stillLost(problem.get());
      }
    }
    return false;
  }

  private Optional<String> problem() throws InterruptedException {
    heardNudges = nudges.get();
    handover.lockInterruptibly();
    try {
      return publisher.problem();
    } catch (RuntimeException | Error e) {
      Fatal.rethrow(e);
      return Optional.of(String.valueOf(e));
    } finally {
      handover.unlock();
    }
  }

  /** Sleeps before another try, unless one was asked for since the last began. */
  private void sleep(long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    long left = nanos;
    while (left > 0 && !stopped && nudges.get() == heardNudges) {
      signal.await(left);
      left = until - System.nanoTime();
    }
  }
}
