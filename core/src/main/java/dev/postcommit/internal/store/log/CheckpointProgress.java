package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.internal.store.Checkpoints.Begun;
import dev.postcommit.internal.store.log.LogClaim.Plan;
import dev.postcommit.internal.store.log.LogLease.Grant;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Claim;
import dev.postcommit.store.LeaseLostException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoint that the broker stores with the messages decides. The cursor in the table follows
 * by one checkpoint.
 */
final class CheckpointProgress implements LogProgress {
  private static final Logger log = LoggerFactory.getLogger(CheckpointProgress.class);

  /** How far the cursor may be behind the checkpoint while no events come. */
  private static final long LAG_NANOS = Duration.ofMillis(200).toNanos();

  private final Checkpoints checkpoints;
  private final TableName table;
  private final LogLease lease;
  private final LogInFlight inFlight;
  private final LongSupplier nanoTime;

  /** The checkpoint that the broker has, as far as is known; null without a lease. */
  private @Nullable LogCheckpoint recorded;

  /** The checkpoint that is being recorded. */
  private @Nullable LogCheckpoint next;

  /** What the cursor's row is marked with. */
  private @Nullable String mark;

  /** Whether rows were passed over that are not behind a recorded checkpoint. */
  private volatile boolean passedOver;

  CheckpointProgress(
      Checkpoints checkpoints,
      TableName table,
      LogLease lease,
      LogInFlight inFlight,
      LongSupplier nanoTime) {
    this.checkpoints = checkpoints;
    this.table = table;
    this.lease = lease;
    this.inFlight = inFlight;
    this.nanoTime = nanoTime;
  }

  @Override
  public @Nullable LogCursor begin(Grant grant) {
    Optional<Begun> begun = checkpoints.begin();
    return begun.isEmpty() ? null : begin(grant, begun.get().checkpoint());
  }

  private synchronized LogCursor begin(Grant grant, @Nullable String found) {
    @Nullable LogCheckpoint last = found == null ? null : LogCheckpoint.of(found);
    if (last != null && last.agreesWith(grant.mark())) {
      recorded = last.withFloorUpTo(grant.cursor().floor());
      mark = grant.mark();
    } else {
      if (found != null) {
        log.warn(
            "the checkpoint of {} that the broker has is not of this database as it is now: it was"
                + " restored, or relays without transactions were at work. The cursor in the"
                + " database counts; events delivered after it was last written are delivered again",
            table);
      }
      recorded = new LogCheckpoint(UUID.randomUUID().toString(), 0, grant.cursor());
      mark = recorded.mark();
    }
    return recorded.cursor();
  }

  @Override
  public synchronized void forget() {
    recorded = null;
    next = null;
    passedOver = false;
  }

  /** The broker has ended what earlier leaseholders began. */
  @Override
  public Duration undecided() {
    return Duration.ZERO;
  }

  @Override
  public synchronized void renew(Duration wanted) {
    if (recorded != null) {
      lease.renew(recorded.cursor(), mark, wanted);
    }
  }

  @Override
  public void passOver() {
    passedOver = true;
  }

  @Override
  public synchronized String checkpoint(Claim claim, int events) {
    LogCursor cursor = inFlight.cursorAfter(claim, events);
    passedOver = false;
    return prepare(cursor);
  }

  /** Marks the cursor's row for the next checkpoint, and returns the checkpoint's text. */
  private synchronized String prepare(LogCursor cursor) {
    if (recorded == null) {
      throw new LeaseLostException(table.toString(), "the cursor");
    }
    LogCheckpoint prepared = new LogCheckpoint(recorded.history(), recorded.number() + 1, cursor);
    lease.moveDurably(recorded.cursor(), prepared.mark());
    mark = prepared.mark();
    next = prepared;
    return prepared.text();
  }

  @Override
  public synchronized void settled(Plan plan, boolean mayWait) {
    if (plan.delivers() && inFlight.isCurrent(plan)) {
      advance();
    }
  }

  private synchronized void advance() {
    if (next != null) {
      recorded = next;
    }
  }

  @Override
  public boolean catchUp() {
    if (!inFlight.isIdle()) {
      return true;
    }
    @Nullable LogCursor done = passedOver ? inFlight.cursorIfDone() : null;
    if (done == null) {
      follow();
      return true;
    }
    if (!checkpoints.record(() -> prepare(done))) {
      return false;
    }
    passedOver = false;
    advance();
    return true;
  }

  /** Lets the table's cursor follow the checkpoint. */
  private synchronized void follow() {
    boolean isBehind = recorded != null && !recorded.cursor().equals(lease.cursor());
    if (isBehind && nanoTime.getAsLong() - lease.leasedAt() > LAG_NANOS) {
      writeCursor();
    }
  }

  @Override
  public synchronized void writeCursor() {
    if (recorded != null) {
      lease.move(recorded.cursor(), mark);
    }
  }
}
