package dev.postcommit.internal.store.log;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogAgenda.Diversion;
import dev.postcommit.internal.store.log.LogReader.Page;
import dev.postcommit.store.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fills a log's agenda with what is read, and takes out of it what is to be diverted. For use by
 * one thread at a time; the agenda is shared with those who settle.
 */
final class LogIntake {
  /** How much is read at once, in batches. */
  private static final int PAGE = 2;

  /** How much may wait in memory, in batches, before nothing more is read. */
  static final int MOST_WAITING = 4;

  /** The part of the heap that payloads of waiting events may fill, whatever the settings say. */
  private static final long MOST_WAITING_BYTES = Runtime.getRuntime().maxMemory() / 10;

  /** How many places of events may be kept that are read again later: a twentieth of the heap. */
  private static final long MOST_SURPLUS =
      Math.min(Runtime.getRuntime().maxMemory() / 20 / Long.BYTES, 2_000_000);

  /** How long diverted events are left alone at first that are due and cannot be claimed. */
  private static final long REST_NANOS = Duration.ofMillis(10).toNanos();

  /** How long at most; the longer it goes on, the longer. */
  private static final long LONGEST_REST_NANOS = Duration.ofMillis(250).toNanos();

  /** How often rows are looked for that no reader finds, while there are others to deliver. */
  static final Duration BUSY = Duration.ofSeconds(5);

  /** How often they are while there are none. */
  static final Duration IDLE = Duration.ofSeconds(1);

  private final LogLease lease;
  private final LogReader reader;
  private final LogAgenda agenda;
  private final boolean isInTurn;
  private final LongSupplier nanoTime;
  private boolean hasDueDiverted;
  private boolean hasWaiting;
  private boolean hasPassedOver;
  private boolean hasLeftOut;
  private volatile long restsUntil;
  private volatile long restNanos = REST_NANOS;
  private long timedRestUntil;
  private long checkedAt;

  /**
   * An intake of an agenda.
   *
   * @param isInTurn whether all rows are claimed in the order in which they were read
   */
  LogIntake(
      LogLease lease, LogReader reader, LogAgenda agenda, boolean isInTurn, LongSupplier nanoTime) {
    this.lease = lease;
    this.reader = reader;
    this.agenda = agenda;
    this.isInTurn = isInTurn;
    this.nanoTime = nanoTime;
    this.restsUntil = nanoTime.getAsLong();
    this.timedRestUntil = nanoTime.getAsLong();
    this.checkedAt = nanoTime.getAsLong() - BUSY.toNanos();
  }

  /** Whether a diverted event was due when that was last looked at. */
  boolean hasDueDiverted() {
    return hasDueDiverted;
  }

  /** No diverted event is due, or it is to be looked at again. */
  void noneIsDue() {
    hasDueDiverted = false;
  }

  /** Those that are due have to wait for others of their keys. */
  void noneCanBeClaimed() {
    hasDueDiverted = false;
    restsUntil = nanoTime.getAsLong() + restNanos;
    timedRestUntil = nanoTime.getAsLong() + REST_NANOS;
    restNanos = Math.min(2 * restNanos, LONGEST_REST_NANOS);
  }

  /** Some of them may be claimed now: others were settled, or they were found. */
  void someCanBeClaimed() {
    restNanos = REST_NANOS;
    restsUntil = nanoTime.getAsLong();
  }

  private boolean rests() {
    return nanoTime.getAsLong() - restsUntil < 0;
  }

  /** An event whose time has come is looked for sooner; but it may be in a claim by now. */
  private boolean timedRest() {
    return nanoTime.getAsLong() - timedRestUntil < 0;
  }

  /** Whether all that was read last has to wait for others of its keys, and is read again. */
  boolean hasPassedOver() {
    return hasPassedOver;
  }

  /** Whether some of what was read last is dead beside the log, and was left out. */
  boolean hasLeftOut() {
    return hasLeftOut;
  }

  /** Reads on, unless enough waits already; returns whether it did. */
  boolean read(ClaimRequest request, boolean isTaken) {
    long asOf;
    Set<String> keys;
    synchronized (agenda) {
      if (isTaken ? agenda.waiting() > 0 : !hasRoom(request)) {
        return false;
      }
      asOf = agenda.closings();
      keys = agenda.keysThatMayWait(hasWaiting);
    }
    boolean endsWindow;
    Page page;
    do {
      endsWindow = reader.cursor().upto() != null;
      page = reader.read(PAGE * request.batchSize(), request.batchBytes(), keys);
      hasDueDiverted =
          (page.hasDueDiverted() && !rests()) || (page.hasTimedDiverted() && !timedRest());
      hasWaiting = page.hasWaiting();
      hasLeftOut = page.leavesOut();
      synchronized (agenda) {
        reader.accept(page);
        hasPassedOver = !agenda.add(page.rows()) && !page.rows().isEmpty();
        agenda.close(page.waitingKeys(), asOf);
      }
    } while (page.rows().isEmpty() && !hasLeftOut && endsWindow);
    return true;
  }

  /**
   * Looks for rows below the reader's floor, unless that was done within {@code interval} or
   * nothing was read since a lease was taken. If there are any, the lease is lost.
   */
  void check(Duration interval) {
    @Nullable Snapshot read = reader.lastRead();
    boolean isDue =
        nanoTime.getAsLong() - checkedAt >= interval.toNanos() || reader.passed().isLong();
    if (read != null && isDue) {
      lease.check(reader.passed(), read);
      checkedAt = nanoTime.getAsLong();
    }
  }

  /** Diverts what waits and has a closed key; returns whether there was any. */
  boolean divert(Duration length) {
    List<Diversion> diversions;
    synchronized (agenda) {
      diversions = agenda.toDivert();
    }
    if (!diversions.isEmpty()) {
      lease.divert(diversions, length);
      synchronized (agenda) {
        agenda.diverted(diversions);
      }
      hasDueDiverted = !rests();
    }
    return !diversions.isEmpty();
  }

  /** Whether more may wait; where events of busy keys are in the way, there is room made. */
  private boolean hasRoom(ClaimRequest request) {
    if (agenda.surplus() >= MOST_SURPLUS) {
      return false;
    }
    if (isFull(request) && !isInTurn && request.ordering() == Ordering.PER_KEY) {
      agenda.makeRoom(MOST_WAITING * request.batchSize(), mostBytes(request));
    }
    return !isFull(request);
  }

  private boolean isFull(ClaimRequest request) {
    return agenda.waiting() >= MOST_WAITING * request.batchSize()
        || agenda.waitingBytes() >= mostBytes(request);
  }

  /** How large payloads of waiting events may be together. */
  static long mostBytes(ClaimRequest request) {
    return Math.min(request.batchBytes(), MOST_WAITING_BYTES / MOST_WAITING) * MOST_WAITING;
  }
}
