package dev.postcommit.internal.store.log;

import dev.postcommit.internal.admin.LogAdminSql;
import dev.postcommit.internal.admin.LogPartitionKeeper;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.internal.store.claimed.ClaimedStore;
import dev.postcommit.internal.store.log.LogAgenda.Plan;
import dev.postcommit.internal.store.log.LogReader.RestartedException;
import dev.postcommit.layout.Lifecycle.Log;
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

/**
 * Storage that reads a log ahead, and settles by moving its cursor.
 *
 * <p>Who has the {@linkplain LogLease lease} on the cursor claims from memory what was read; the
 * others stand by. Events that cannot go their way in order are in the native table beside the log,
 * whose claims come from its own store, and have positive tokens.
 *
 * <p>The cursor may be kept {@linkplain LogCheckpoints elsewhere}, and moved with the deliveries.
 * Then claims are made and delivered one after the other, and the cursor in the table follows.
 */
public final class LogStore implements CheckpointedLog {
  private static final Duration PACE = Duration.ofMillis(1);

  /** How many pages are read for one claim, if all of them have to be diverted. */
  private static final int MOST_PAGES = 50;

  /** How long a key may be busy before others get the room that its rows take in memory. */
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final LogDiverted diverted;
  private final LogLease lease;
  private final LogPartitionKeeper partitions;
  private final @Nullable LogCheckpoints checkpoints;
  private final Fences fences = new Fences();
  private final LogAgenda agenda = new LogAgenda(PATIENCE);
  private final LogIntake intake;
  private final LogRereader rereader;
  private final LogProgress progress;

  /** Held while something is claimed, or all is forgotten. */
  private final ReentrantLock claiming = new ReentrantLock();

  private boolean divertedFirst;

  public LogStore(
      Database database,
      Log lifecycle,
      ClaimedStore diverted,
      UUID worker,
      @Nullable Checkpoints checkpoints,
      LongSupplier nanoTime) {
    TableName table = database.layout().table();
    LogSql sql = new LogSql(database.layout(), lifecycle, database.reader());
    LogReader reader = new LogReader(database, sql, fences);
    this.checkpoints =
        checkpoints == null ? null : new LogCheckpoints(checkpoints, table.toString());
    this.partitions =
        new LogPartitionKeeper(database, new LogAdminSql(database.layout(), lifecycle));
    LogRepair repair = new LogRepair(database.layout(), sql);
    this.lease = new LogLease(database, sql, repair, worker, fences, nanoTime);
    this.intake = new LogIntake(lease, reader, agenda, checkpoints != null, nanoTime);
    this.rereader = new LogRereader(reader, agenda, "postcommit-" + table + "-ahead");
    this.progress = new LogProgress(table, lease, reader, agenda, this.checkpoints, nanoTime);
    this.diverted =
        new LogDiverted(diverted, "postcommit-" + table + "-diverted", intake::someCanBeClaimed);
  }

  @Override
  public Taken take(ClaimRequest request) {
    if (request.isScoped()) {
      throw new IllegalArgumentException(
          "a log is read as a whole: its claims cannot be scoped to a namespace or a tenant");
    }
    claiming.lock();
    try {
      long before = progress.generation();
      boolean leads = progress.leads(request.lease());
      if (progress.generation() != before) {
        intake.noneIsDue();
      }
      return leads ? tryTake(request) : Taken.NOTHING;
    } catch (LeaseLostException | RestartedException e) {
      forget();
      return Taken.NOTHING;
    } finally {
      claiming.unlock();
    }
  }

  /** Nothing that was claimed can be settled any more. */
  private void forget() {
    progress.forget();
    intake.noneIsDue();
  }

  private Taken tryTake(ClaimRequest request) {
    if (checkpoints == null) {
      synchronized (agenda) {
        agenda.expire();
      }
    }
    partitions.lookAfter(fences.newest());
    intake.check(LogIntake.BUSY);
    divert();
    if (divertedFirst) {
      divertedFirst = false;
      Taken taken = takeDiverted(request);
      if (taken.size() > 0) {
        return taken;
      }
    }
    rereader.read(request);
    @Nullable Taken taken = fromMemory(request);
    if (taken == null || taken.size() < request.batchSize()) {
      taken = read(request, taken);
    }
    if (taken != null) {
      divertedFirst = intake.hasDueDiverted();
      return taken;
    }
    intake.check(LogIntake.IDLE);
    // Not before reading: events wait for that, and settlements move the cursor while there are
    // any.
    if (checkpoints == null) {
      progress.moveOn();
    } else if (!progress.follow(checkpoints)) {
      abandonLead();
    }
    return intake.hasDueDiverted() ? takeDiverted(request) : Taken.nothing(leavesSome());
  }

  private Taken takeDiverted(ClaimRequest request) {
    Taken taken = diverted.take(request);
    if (taken.size() == 0) {
      intake.noneCanBeClaimed();
      diverted.survey(request);
    }
    return new Diverted(taken);
  }

  private boolean leavesSome() {
    synchronized (agenda) {
      return checkpoints != null || agenda.mayHaveFree() || intake.hasDueDiverted();
    }
  }

  /** What waits for no claim of its key is {@linkplain #leavesSome left}. */
  @Override
  public boolean frees(Claim claim) {
    if (claim.token() > 0) {
      return true;
    }
    Set<String> keys = new HashSet<>();
    claim.events().forEach(event -> keys.add(event.key()));
    synchronized (agenda) {
      return agenda.hasAny(keys);
    }
  }

  /**
   * Reads on as long as all that is read is dead, or has to be diverted or to wait, and claims what
   * there is.
   */
  private @Nullable Taken read(ClaimRequest request, @Nullable Taken taken) {
    @Nullable Taken found = taken;
    for (int page = 0; page < MOST_PAGES; page++) {
      if (!intake.read(request, found != null)) {
        return found;
      }
      boolean leftOut = intake.hasLeftOut();
      if (leftOut) {
        progress.passOver();
      }
      boolean diverted = divert();
      found = found != null ? found : fromMemory(request);
      if (found != null || !(diverted || leftOut || intake.hasPassedOver())) {
        return found;
      }
    }
    return found;
  }

  /** Diverts what waits and has a closed key; returns whether there was any. */
  private boolean divert() {
    boolean any = intake.divert(progress.length());
    if (any) {
      progress.passOver();
    }
    return any;
  }

  private @Nullable Taken fromMemory(ClaimRequest request) {
    synchronized (agenda) {
      @Nullable Long token =
          checkpoints == null ? agenda.take(request) : agenda.takeInTurn(request);
      return token == null
          ? null
          : new Read(new Claim(token, agenda.events(token)), lease.leasedAt());
    }
  }

  /** Events that are in memory. */
  private final class Read implements Taken {
    private final Claim claim;
    private final long since;

    Read(Claim claim, long since) {
      this.claim = claim;
      this.since = since;
    }

    @Override
    public int size() {
      return claim.events().size();
    }

    @Override
    public Claim read() {
      return claim;
    }

    @Override
    public OptionalLong leasedAt() {
      return OptionalLong.of(since);
    }

    @Override
    public boolean leavesSome() {
      return LogStore.this.leavesSome();
    }

    @Override
    public Duration undecided() {
      return undecidedInLog();
    }
  }

  /**
   * Where a broker keeps the checkpoint, an earlier owner's transactions were ended at the start.
   */
  private Duration undecidedInLog() {
    return checkpoints == null ? lease.undecided() : Duration.ZERO;
  }

  /** Events of the table beside the log, in which there may be more. */
  private final class Diverted implements Taken {
    private final Taken taken;

    Diverted(Taken taken) {
      this.taken = taken;
    }

    @Override
    public int size() {
      return taken.size();
    }

    @Override
    public Claim read() {
      return taken.read();
    }

    /** An earlier owner of the log may have sent them from there, before they were diverted. */
    @Override
    public Duration undecided() {
      Duration inLog = undecidedInLog();
      return inLog.compareTo(taken.undecided()) > 0 ? inLog : taken.undecided();
    }
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    settle(claim, outcomes, true);
  }

  @Override
  public void settleSoon(Claim claim, Collection<? extends Outcome> outcomes) {
    settle(claim, outcomes, progress.hasRested());
  }

  private void settle(Claim claim, Collection<? extends Outcome> outcomes, boolean now) {
    if (outcomes.isEmpty()) {
      return;
    }
    if (claim.token() > 0) {
      diverted.settle(claim, outcomes);
      return;
    }
    @Nullable Plan plan;
    long planned;
    synchronized (agenda) {
      plan = agenda.plan(claim.token(), outcomes);
      planned = progress.generation();
    }
    if (plan == null) {
      throw progress.lost(outcomes.size() + " events");
    }
    if (!plan.diversions().isEmpty()) {
      lease.divert(plan.diversions(), progress.length());
      progress.passOver();
    }
    synchronized (agenda) {
      agenda.mark(plan);
      boolean isRecorded = plan.done().size() > plan.diversions().size();
      if (checkpoints != null && isRecorded && planned == progress.generation()) {
        checkpoints.advance();
      }
    }
    if (checkpoints == null && now) {
      progress.move(planned);
    }
    synchronized (agenda) {
      agenda.finish(claim.token(), plan);
    }
  }

  @Override
  public Duration pace() {
    return PACE;
  }

  @Override
  public void renew(Claim claim, Duration wanted) {
    if (claim.token() > 0) {
      diverted.renew(claim, wanted);
      return;
    }
    synchronized (agenda) {
      if (!agenda.renew(claim.token(), wanted)) {
        throw progress.lost(claim.events().size() + " events");
      }
    }
    progress.renew(wanted);
  }

  @Override
  public boolean isInLog(Claim claim) {
    return claim.token() < 0;
  }

  @Override
  public Turn turn(Claim claim) {
    synchronized (agenda) {
      return agenda.turn(claim.token());
    }
  }

  @Override
  public String checkpoint(Claim claim, int events) {
    if (checkpoints == null) {
      throw new IllegalStateException("the cursor is kept in the table");
    }
    LogCheckpoint checkpoint;
    synchronized (agenda) {
      // What is left of it may have keys that it closed itself: the caller leaves them out.
      if (!agenda.isNext(claim.token())) {
        throw progress.lost(events + " events");
      }
      checkpoint = progress.next(checkpoints, events);
    }
    return progress.marked(checkpoints, checkpoint);
  }

  @Override
  public void abandon(Claim claim) {
    claiming.lock();
    try {
      boolean held;
      synchronized (agenda) {
        held = agenda.holds(claim.token());
      }
      if (held) {
        abandonLead();
      }
    } finally {
      claiming.unlock();
    }
  }

  /** Forgets everything, and lets others have the lease. */
  private void abandonLead() {
    progress.release();
    forget();
  }

  @Override
  public void releaseIdle() {
    claiming.lock();
    try {
      boolean idle;
      synchronized (agenda) {
        idle = agenda.isIdle();
      }
      if (idle) {
        progress.giveUp();
        forget();
      }
    } finally {
      claiming.unlock();
    }
    diverted.releaseIdle();
  }

  @Override
  public void close() {
    progress.giveUp();
    diverted.close();
  }
}
