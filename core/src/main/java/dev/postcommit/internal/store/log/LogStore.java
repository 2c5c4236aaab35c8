package dev.postcommit.internal.store.log;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.admin.LogAdminSql;
import dev.postcommit.internal.admin.LogPartitionKeeper;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.internal.store.claimed.ClaimedStore;
import dev.postcommit.internal.store.log.LogClaim.Plan;
import dev.postcommit.internal.store.log.LogIntake.Reading;
import dev.postcommit.internal.store.log.LogLease.Grant;
import dev.postcommit.internal.store.log.LogReader.RestartedException;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storage that reads a log ahead, and settles by moving a cursor.
 *
 * <p>The holder of the {@linkplain LogLease lease} claims from memory what was read; other relays
 * stand by. Events that cannot be delivered in order are moved to the native table {@linkplain
 * LogDiverted beside the log}, whose claims have positive tokens. What decides how far the log is
 * delivered is a {@linkplain LogProgress strategy}.
 *
 * <h2>Threads and locks</h2>
 *
 * One thread at a time claims; meanwhile others settle, renew, load rows ahead and close. Each
 * class with state locks itself, and these locks are only ever taken in this order:
 *
 * <ol>
 *   <li>{@code claiming}, here: one thread takes the lease, reads, claims or forgets. What only
 *       that thread uses needs no other lock ({@link LogReader}, {@link LogPassed}, {@link
 *       LogIntake}).
 *   <li>The lock of the {@link LogProgress}: computing where the cursor goes and writing it are one
 *       step. Otherwise, of two threads that settle, the one that computed first could write last,
 *       and the cursor would go back.
 *   <li>The lock of the {@link LogLease}: one statement at a time writes the cursor's row.
 *   <li>The lock of {@link LogInFlight}, and that of {@link Fences}: never held during a statement,
 *       and no other lock is taken under either.
 * </ol>
 *
 * {@link LogRereader} and {@link LogDiverted} have locks for their own threads, and take none of
 * these under them.
 *
 * <p>When the lease is lost, everything in memory is {@linkplain #forget forgotten}, in three
 * steps: the lease lets nothing more be written; what is in flight is cleared, so no plan made
 * before is valid any more; and the progress is forgotten under its lock, so a write that was
 * computed before has either been made under the old lease or has failed. Only then is the lease
 * taken again. So no position that was computed under one lease is written under the next. A
 * diversion that was planned before may be; it only copies rows, which are then delivered twice.
 *
 * <p>A settlement takes several steps, because statements come between them: it is planned; rows
 * that failed are diverted; it is marked, so that the cursor may pass its rows; the cursor moves;
 * the claim ends. The keys of the claim stay busy until then, so no later event of theirs is
 * claimed before the outcome is recorded, and marking closes the keys of diverted events for good.
 */
public final class LogStore implements CheckpointedLog {
  private static final Logger log = LoggerFactory.getLogger(LogStore.class);

  private static final Duration PACE = Duration.ofMillis(1);

  /** How many pages one claim reads if all of them have to be diverted. */
  private static final int MOST_PAGES = 50;

  /** How long a key may be busy before others get the memory that its rows take. */
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final LogDiverted diverted;
  private final LogLease lease;
  private final LogPartitionKeeper partitions;
  private final Fences fences = new Fences();
  private final LogReader reader;
  private final LogInFlight inFlight;
  private final LogProgress progress;
  private final LogIntake intake;
  private final LogRereader rereader;
  private final ReentrantLock claiming = new ReentrantLock();
  private boolean divertedFirst;

  /**
   * A store for one relay.
   *
   * @param checkpoints where the broker keeps checkpoints; null if the cursor decides
   */
  public LogStore(
      Database database,
      ClaimedStore diverted,
      UUID worker,
      @Nullable Checkpoints checkpoints,
      LongSupplier nanoTime) {
    TableName table = database.layout().table();
    LogSql sql = new LogSql(database.layout(), database.reader());
    LogRepair repair = new LogRepair(database.layout(), sql);
    this.diverted = new LogDiverted(diverted, "postcommit-" + table + "-diverted", nanoTime);
    this.lease = new LogLease(database, sql, repair, worker, fences, nanoTime);
    this.partitions = new LogPartitionKeeper(database, new LogAdminSql(database.layout()));
    this.reader = new LogReader(database, sql, fences);
    this.inFlight = new LogInFlight(table.toString(), PATIENCE, checkpoints != null);
    this.progress =
        checkpoints == null
            ? new CursorProgress(lease, inFlight, nanoTime)
            : new CheckpointProgress(checkpoints, table, lease, inFlight, nanoTime);
    this.intake = new LogIntake(lease, reader, inFlight, this.diverted, progress, nanoTime);
    this.rereader = new LogRereader(database, sql, inFlight);
  }

  @Override
  public Taken take(ClaimRequest request) {
    if (request.isScoped()) {
      throw new IllegalArgumentException(
          "a log is read as a whole: its claims cannot be scoped to a namespace or a tenant");
    }
    claiming.lock();
    try {
      return holdsLease(request.lease()) ? tryTake(request) : Taken.NOTHING;
    } catch (LeaseLostException | RestartedException e) {
      forget();
      return Taken.NOTHING;
    } finally {
      claiming.unlock();
    }
  }

  /**
   * Whether the lease is held, or can be taken now. If an earlier take failed half-way, nothing was
   * begun, and the reader may be ahead of what is in memory; so it is taken again.
   */
  private boolean holdsLease(Duration wanted) {
    lease.length(wanted);
    if (lease.isHeld() && inFlight.hasBegun()) {
      if (lease.wantsRenewal()) {
        progress.renew(wanted);
      }
      return true;
    }
    forget();
    return lease.take().map(this::begin).orElse(false);
  }

  /** Begins to read under a new lease; returns whether it is known where. */
  private boolean begin(Grant grant) {
    @Nullable LogCursor from = progress.begin(grant);
    if (from == null) {
      lease.release();
      return false;
    }
    reader.begin(grant, from);
    inFlight.begin(from);
    return true;
  }

  /** Forgets what was read: nothing that was claimed can be settled any more. */
  private void forget() {
    lease.lose();
    inFlight.clear();
    progress.forget();
    diverted.forget();
  }

  private Taken tryTake(ClaimRequest request) {
    inFlight.expire();
    partitions.lookAfter(fences.newest());
    intake.check(LogIntake.BUSY);
    boolean unused = intake.divert();
    if (divertedFirst) {
      divertedFirst = false;
      Taken taken = diverted.take(request, progress.undecided());
      if (taken.size() > 0) {
        return taken;
      }
    }
    rereader.load(request);
    @Nullable Claim claim = inFlight.claim(request);
    if (claim == null || claim.events().size() < request.batchSize()) {
      claim = read(request, claim);
    }
    if (claim != null) {
      divertedFirst = diverted.isDue();
      Claim found = claim;
      return new Taken(
          found.events().size(),
          () -> found,
          OptionalLong.of(lease.leasedAt()),
          leavesSome(),
          progress.undecided());
    }
    intake.check(LogIntake.IDLE);
    // Not before reading: events wait for that, and settlements move the cursor while there are
    // any.
    if (!progress.catchUp()) {
      abandonLease();
    }
    return diverted.isDue()
        ? diverted.take(request, progress.undecided())
        : Taken.nothing(leavesSome());
  }

  /** Reads on while all that is read is dead, diverted or waiting, and claims what there is. */
  private @Nullable Claim read(ClaimRequest request, @Nullable Claim claim) {
    @Nullable Claim found = claim;
    for (int page = 0; page < MOST_PAGES; page++) {
      Reading reading = intake.read(request, found != null);
      if (reading != Reading.NONE && found == null) {
        found = inFlight.claim(request);
      }
      if (reading != Reading.GO_ON || found != null) {
        return found;
      }
    }
    return found;
  }

  private boolean leavesSome() {
    return inFlight.mayHaveFree() || diverted.isDue();
  }

  /** What waits for no claim of its key is {@linkplain #leavesSome left}. */
  @Override
  public boolean frees(Claim claim) {
    if (!isInLog(claim)) {
      return true;
    }
    Set<String> keys = new HashSet<>();
    claim.events().forEach(event -> keys.add(event.key()));
    return inFlight.hasAny(keys);
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    settle(claim, outcomes, false);
  }

  @Override
  public void settleSoon(Claim claim, Collection<? extends Outcome> outcomes) {
    settle(claim, outcomes, true);
  }

  private void settle(Claim claim, Collection<? extends Outcome> outcomes, boolean mayWait) {
    if (outcomes.isEmpty()) {
      return;
    }
    if (!isInLog(claim)) {
      diverted.settle(claim, outcomes);
      return;
    }
    Plan plan = inFlight.plan(claim, outcomes);
    if (!plan.diversions().isEmpty()) {
      lease.divert(plan.diversions());
      progress.passOver();
    }
    inFlight.mark(plan);
    progress.settled(plan, mayWait);
    inFlight.finish(claim, plan);
  }

  @Override
  public Duration pace() {
    return PACE;
  }

  @Override
  public void renew(Claim claim, Duration wanted) {
    if (isInLog(claim)) {
      inFlight.renew(claim, wanted);
      progress.renew(wanted);
    } else {
      diverted.renew(claim, wanted);
    }
  }

  @Override
  public boolean isInLog(Claim claim) {
    return claim.token() < 0;
  }

  @Override
  public State state(Claim claim) {
    return inFlight.state(claim);
  }

  @Override
  public String checkpoint(Claim claim, int events) {
    return progress.checkpoint(claim, events);
  }

  @Override
  public void abandon(Claim claim) {
    claiming.lock();
    try {
      if (inFlight.holds(claim)) {
        abandonLease();
      }
    } finally {
      claiming.unlock();
    }
  }

  /** Forgets everything, and lets another relay take over from where the cursor was last. */
  private void abandonLease() {
    giveUp(false);
    forget();
  }

  @Override
  public void releaseIdle() {
    claiming.lock();
    try {
      if (inFlight.isIdle()) {
        giveUp(true);
        forget();
      }
    } finally {
      claiming.unlock();
    }
    diverted.releaseIdle();
  }

  /** Lets another relay take over at once. */
  private void giveUp(boolean writesCursor) {
    try {
      if (writesCursor && lease.isHeld()) {
        progress.writeCursor();
      }
      lease.release();
    } catch (PostcommitException e) {
      log.debug("could not give up the lease; it ends by itself", e);
    }
  }

  @Override
  public void close() {
    giveUp(true);
    diverted.close();
  }
}
