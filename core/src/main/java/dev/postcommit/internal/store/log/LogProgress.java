package dev.postcommit.internal.store.log;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.store.log.LogLease.Lead;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.LeaseLostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a log's cursor where everything is settled: in the table alone, or {@linkplain
 * LogCheckpoints elsewhere}, and then the table's follows.
 *
 * <p>The agenda's monitor guards what is planned; {@code moving} is held while the cursor is moved.
 */
final class LogProgress {
  private static final Logger log = LoggerFactory.getLogger(LogProgress.class);

  /** How long the cursor rests between two moves while there is work. */
  private static final long REST_NANOS = Duration.ofMillis(20).toNanos();

  /** How far the table's cursor may be behind its checkpoint elsewhere, while nothing comes. */
  private static final long LAG_NANOS = Duration.ofMillis(200).toNanos();

  private final TableName table;
  private final LogLease lease;
  private final LogReader reader;
  private final LogAgenda agenda;
  private final @Nullable LogCheckpoints checkpoints;
  private final LongSupplier nanoTime;
  private final ReentrantLock moving = new ReentrantLock();

  private volatile Duration length = Duration.ZERO;
  private volatile @Nullable LogCursor moved;
  private volatile long movedAt;

  /**
   * How far was read when the cursor was last written. It is written again once more was, also if
   * it has to stay where it is, as each time adds a {@linkplain Fences fence}: without one, each
   * look would walk over all that was delivered since.
   */
  private @Nullable LogCursor fenced;

  /** What the cursor's row is marked with for its checkpoint elsewhere. */
  private volatile @Nullable String mark;

  /** Rises with each lease; what was planned under another comes to nothing. */
  private long generation;

  /** Whether rows were passed over that no checkpoint that was recorded is behind. */
  private volatile boolean passed;

  LogProgress(
      TableName table,
      LogLease lease,
      LogReader reader,
      LogAgenda agenda,
      @Nullable LogCheckpoints checkpoints,
      LongSupplier nanoTime) {
    this.table = table;
    this.lease = lease;
    this.reader = reader;
    this.agenda = agenda;
    this.checkpoints = checkpoints;
    this.nanoTime = nanoTime;
    this.movedAt = nanoTime.getAsLong() - REST_NANOS;
  }

  /** How long the lease is made to last. */
  Duration length() {
    return length;
  }

  long generation() {
    synchronized (agenda) {
      return generation;
    }
  }

  /** Whether the lease is held, or can be had now. */
  boolean leads(Duration wanted) {
    length = wanted;
    if (lease.isHeld()) {
      if (lease.wantsRenewal()) {
        renew(wanted);
      }
      return true;
    }
    // Nobody moves the cursor under the new lease to where it was under the old one.
    moving.lock();
    try {
      forget();
      Optional<Lead> lead = lease.take(wanted);
      return lead.isPresent() && begins(lead.get());
    } finally {
      moving.unlock();
    }
  }

  /** Begins to read where the cursor is; returns whether that is known. */
  private boolean begins(Lead lead) {
    LogCursor from = lead.cursor();
    if (checkpoints != null) {
      Optional<LogCursor> checkpoint = checkpoints.begin(lead);
      if (checkpoint.isEmpty()) {
        lease.release();
        return false;
      }
      from = checkpoint.get();
      mark = checkpoints.mark(lead);
    }
    synchronized (agenda) {
      reader.begin(lead, from);
      lease.begin(reader.passed(), from);
      generation++;
    }
    moved = lead.cursor();
    return true;
  }

  /** Nothing that was claimed can be settled any more. */
  void forget() {
    lease.lose();
    synchronized (agenda) {
      agenda.clear();
      generation++;
    }
    passed = false;
  }

  /** Rows have left the log without being delivered. */
  void passOver() {
    passed = true;
  }

  /** Moves the cursor over what was settled or diverted meanwhile, unless it was moved just now. */
  void moveOn() {
    if (hasRested()) {
      move(generation());
    }
  }

  boolean hasRested() {
    return nanoTime.getAsLong() - movedAt >= REST_NANOS;
  }

  /** Moves the cursor as far as everything is settled; what several lanes settled, at once. */
  void move(long planned) {
    moving.lock();
    try {
      LogCursor to;
      LogCursor read;
      synchronized (agenda) {
        if (planned != generation) {
          throw lost("events");
        }
        read = reader.cursor();
        to = agenda.cursor(read);
      }
      if (!to.equals(moved) || (!read.equals(fenced) && hasRested())) {
        lease.move(to, mark, length);
        moved = to;
        fenced = read;
        movedAt = nanoTime.getAsLong();
      }
    } finally {
      moving.unlock();
    }
  }

  void renew(Duration wanted) {
    moving.lock();
    try {
      if (checkpoints != null) {
        LogCursor recorded = checkpoints.recorded().cursor();
        lease.move(recorded, mark, wanted);
        moved = recorded;
      } else if (moved != null) {
        lease.move(moved, mark, wanted);
      }
    } finally {
      moving.unlock();
    }
  }

  /**
   * Records what was passed over and is not yet, and lets the table's cursor follow; returns
   * whether that was possible.
   */
  boolean follow(LogCheckpoints kept) {
    LogCheckpoint checkpoint = kept.recorded();
    synchronized (agenda) {
      if (!agenda.isIdle()) {
        return true;
      }
      if (passed && agenda.isDone()) {
        checkpoint = kept.next(reader.cursor());
      }
    }
    LogCheckpoint next = checkpoint;
    if (next.number() > kept.recorded().number()) {
      if (!kept.record(() -> marked(kept, next))) {
        return false;
      }
      passed = false;
      kept.advance();
    } else if (!next.cursor().equals(moved)
        && nanoTime.getAsLong() - lease.leasedAt() > LAG_NANOS) {
      renew(length);
    }
    return true;
  }

  /** The checkpoint to record with the next {@code events} rows; the agenda's monitor is held. */
  LogCheckpoint next(LogCheckpoints kept, int events) {
    LogCheckpoint checkpoint = kept.next(agenda.cursorAfter(events, reader.cursor()));
    passed = false;
    return checkpoint;
  }

  /** The text of a checkpoint, once the cursor's row is marked for it. */
  String marked(LogCheckpoints kept, LogCheckpoint checkpoint) {
    moving.lock();
    try {
      LogCursor recorded = kept.recorded().cursor();
      lease.moveDurably(recorded, checkpoint.mark(), length);
      mark = checkpoint.mark();
      moved = recorded;
    } finally {
      moving.unlock();
    }
    return checkpoint.text();
  }

  /** Lets another take over at once, from where everything is settled. */
  void giveUp() {
    try {
      if (lease.isHeld() && checkpoints == null) {
        move(generation());
      } else if (lease.isHeld()) {
        renew(length);
      }
      lease.release();
    } catch (PostcommitException e) {
      log.debug("could not give up the lead; it ends with its time", e);
    }
  }

  /** Lets another take over at once, from where the cursor was last. */
  void release() {
    try {
      lease.release();
    } catch (PostcommitException e) {
      log.debug("could not give up the lead; it ends with its time", e);
    }
  }

  LeaseLostException lost(String what) {
    return new LeaseLostException(table.toString(), what);
  }
}
