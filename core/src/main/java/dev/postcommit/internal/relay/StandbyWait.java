package dev.postcommit.internal.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.relay.health.Availability;
import dev.postcommit.internal.relay.health.DatabaseHealth;
import dev.postcommit.internal.relay.health.DatabaseHealth.Work;
import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.internal.relay.health.WakeUp;
import dev.postcommit.internal.store.StandbyPositions;
import dev.postcommit.internal.store.StandbyPositions.Positions;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Standbys;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds batches back until standbys have their events on disk, from a thread of its own.
 *
 * <p>A row that a relay has read was committed, so its commit record is before the position at
 * which the primary writes its log after that, whether or not the commit waited for the disk. Once
 * a standby has that position on disk, a promotion of it cannot lose the row. So a batch needs a
 * position that was read after its rows were, and a later query of the standbys. One thread queries
 * for all batches; a query serves both purposes.
 *
 * <p>Positions of one run of the server mean nothing in another: after a crash or a failover other
 * records are written at the same positions. So the rows, the position and what standbys have must
 * be of one run. The run that answers a query is known to have lasted since the first query that it
 * answered; a batch that was taken before that may be of another run, and is given back. That there
 * is one primary at a time is for others to see to.
 */
final class StandbyWait implements Runnable {

  /** How a wait ended. */
  enum End {
    /** Standbys have the events, which may be sent. */
    REPLICATED,
    /** The events may have been read from another run of the server. */
    OTHER_RUN,
    /** They may not be sent, as the lease or the relay ends, or there are no standbys. */
    GIVEN_UP
  }

  /** A batch that has waited for longer is an outage. */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(1).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(250).toNanos();

  /** The pause between two queries is one part in this many of the longest wait so far. */
  private static final int PAUSE_SHARE = 16;

  private static final long LOOK_UP_MILLIS = 100;

  private final Standbys standbys;
  private final Supplier<Positions> query;
  private final Runnable flush;
  private final Availability availability;
  private final DatabaseHealth database;
  private final RelayListener listener;
  private final Duration lease;
  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
  private final WakeUp wakeUp = new WakeUp();
  private volatile boolean stopped;
  private volatile boolean enoughAreConnected = true;

  /** The run of the server that answered last, and since when it is known to be there. */
  private long run;

  private @Nullable Long runSince;

  /** An outage is over when standbys have this; of the present run. */
  private volatile long goal;

  /** A batch that is held back. */
  private static final class Waiting {
    private final long takenAt;
    private final long since = System.nanoTime();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile End end = End.GIVEN_UP;
    private boolean hasPosition;
    private long position;

    Waiting(long takenAt) {
      this.takenAt = takenAt;
    }

    void end(End how) {
      end = how;
      ended.countDown();
    }
  }

  StandbyWait(Standbys standbys, StandbyPositions positions, RelayContext context) {
    this(
        standbys,
        positions::read,
        positions::flush,
        context.standbys(),
        context.database(),
        context.listener(),
        context.config().lease());
  }

  StandbyWait(
      Standbys standbys,
      Supplier<Positions> query,
      Runnable flush,
      Availability availability,
      DatabaseHealth database,
      RelayListener listener,
      Duration lease) {
    this.standbys = standbys;
    this.query = query;
    this.flush = flush;
    this.availability = availability;
    this.database = database;
    this.listener = listener;
    this.lease = lease;
  }

  /** Learns which run of the server is there, so that batches taken from now on may be sent. */
  void learnRun() {
    learn(query.get());
  }

  /** Waits until a batch may be sent, or may not. */
  End await(Batch batch) throws InterruptedException {
    Waiting one = new Waiting(batch.takenAt());
    waiting.add(one);
    wakeUp.signal();
    try {
      while (!one.ended.await(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS)) {
        if (stopped || !batch.isHeld() || isHopeless(one)) {
          return End.GIVEN_UP;
        }
      }
      if (one.end == End.REPLICATED) {
        Duration took = Duration.ofNanos(System.nanoTime() - one.since);
        listener.replicated(batch.events().size(), took);
      }
      return one.end;
    } finally {
      waiting.remove(one);
    }
  }

  /** Without standbys nothing is held for ever, such as the transaction of a held batch. */
  private boolean isHopeless(Waiting one) {
    return !enoughAreConnected && System.nanoTime() - one.since > lease.toNanos();
  }

  void stop() {
    stopped = true;
    wakeUp.signal();
    waiting.forEach(one -> one.end(End.GIVEN_UP));
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        if (waiting.isEmpty() && availability.isAvailable()) {
          wakeUp.await(Long.MAX_VALUE);
        } else {
          queryStandbys();
          wakeUp.await(pause());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The longer standbys take, the less often it matters. */
  private long pause() {
    long longest =
        waiting.stream()
            .mapToLong(one -> System.nanoTime() - one.since)
            .max()
            .orElse(Long.MAX_VALUE);
    return Math.max(SHORTEST_PAUSE_NANOS, Math.min(longest / PAUSE_SHARE, LONGEST_PAUSE_NANOS));
  }

  private void queryStandbys() {
    Set<Waiting> before = Set.copyOf(waiting);
    try {
      Positions positions = query.get();
      database.worked(Work.WATCH);
      learn(positions);
      long replicated = positions.of(standbys.count());
      enoughAreConnected = replicated >= 0;
      boolean wantsFlush = false;
      for (Waiting one : before) {
        wantsFlush |= decide(one, positions, replicated);
      }
      wantsFlush |= tell(positions, replicated);
      if (wantsFlush) {
        flush.run();
      }
    } catch (PostcommitException e) {
      database.failed(Work.WATCH, e);
    } catch (RuntimeException | Error e) {
      Fatal.rethrow(e);
      database.failed(Work.WATCH, new PostcommitException("could not see standbys", e));
    }
  }

  private synchronized void learn(Positions positions) {
    if (runSince == null || positions.run() != run) {
      run = positions.run();
      runSince = System.nanoTime();
      goal = positions.written();
    }
  }

  private synchronized boolean isOfThisRun(Waiting one) {
    return runSince != null && one.takenAt - runSince >= 0;
  }

  /** Ends a wait if it is over; returns whether it lasts because the primary has not flushed. */
  private boolean decide(Waiting one, Positions positions, long replicated) {
    if (!isOfThisRun(one)) {
      end(one, End.OTHER_RUN);
      return false;
    }
    boolean isFirst = !one.hasPosition;
    if (isFirst) {
      one.hasPosition = true;
      one.position = positions.written();
    }
    if (replicated >= one.position) {
      end(one, End.REPLICATED);
      return false;
    }
    return !isFirst && positions.flushed() < one.position;
  }

  private void end(Waiting one, End how) {
    waiting.remove(one);
    one.end(how);
  }

  /**
   * Reports an outage when it begins and when it ends; returns whether it lasts because the primary
   * has not flushed.
   */
  private boolean tell(Positions positions, long replicated) {
    OptionalLong overdue =
        waiting.stream()
            .filter(one -> System.nanoTime() - one.since > PATIENCE_NANOS)
            .mapToLong(one -> one.position)
            .max();
    if (overdue.isPresent()) {
      goal = overdue.getAsLong();
      String reason = reason(positions);
      availability.because(reason);
      availability.lost(reason);
    } else if (!availability.isAvailable() && replicated >= goal) {
      availability.regained();
    }
    return !availability.isAvailable() && positions.flushed() < goal;
  }

  private String reason(Positions positions) {
    Set<String> connected = new TreeSet<>(positions.standbys().keySet());
    Set<String> missing = new TreeSet<>(standbys.names());
    missing.removeAll(connected);
    String wanted = "events wait for " + standbys;
    return connected.size() < standbys.count()
        ? "%s; not connected: %s".formatted(wanted, String.join(", ", missing))
        : "%s; connected, but behind: %s".formatted(wanted, String.join(", ", connected));
  }
}
