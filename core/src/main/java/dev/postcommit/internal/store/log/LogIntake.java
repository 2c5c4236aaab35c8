package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogClaim.Diversion;
import dev.postcommit.internal.store.log.LogInFlight.Question;
import dev.postcommit.internal.store.log.LogReader.Page;
import dev.postcommit.store.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings rows of a log into memory, and diverts those that cannot be delivered in order. For use by
 * one thread at a time.
 */
final class LogIntake {

  /** What reading has led to. */
  enum Reading {
    /** Nothing was read, because enough waits. */
    NONE,
    /** A page was read. */
    PAGE,
    /** The same, but some of its rows left the log, or all have to wait: there may be more. */
    GO_ON
  }

  /** How much is read at once, in batches. */
  private static final int PAGE = 2;

  /** How often to check for rows that no reader finds, while there are others to deliver. */
  static final Duration BUSY = Duration.ofSeconds(5);

  /** The same while there are none. */
  static final Duration IDLE = Duration.ofSeconds(1);

  private final LogLease lease;
  private final LogReader reader;
  private final LogInFlight inFlight;
  private final LogDiverted diverted;
  private final LogProgress progress;
  private final LongSupplier nanoTime;
  private boolean anyWaits;
  private long checkedAt;

  LogIntake(
      LogLease lease,
      LogReader reader,
      LogInFlight inFlight,
      LogDiverted diverted,
      LogProgress progress,
      LongSupplier nanoTime) {
    this.lease = lease;
    this.reader = reader;
    this.inFlight = inFlight;
    this.diverted = diverted;
    this.progress = progress;
    this.nanoTime = nanoTime;
    this.checkedAt = nanoTime.getAsLong() - BUSY.toNanos();
  }

  /** Reads the next page, unless enough waits already. */
  Reading read(ClaimRequest request, boolean hasClaim) {
    @Nullable Question question = inFlight.question(request, hasClaim, anyWaits);
    if (question == null) {
      return Reading.NONE;
    }
    boolean goesOn;
    boolean endsWindow;
    Page page;
    do {
      endsWindow = reader.cursor().upto() != null;
      page = reader.read(PAGE * request.batchSize(), request.batchBytes(), question.keys());
      anyWaits = page.hasWaiting();
      diverted.found(page.hasDueDiverted(), page.hasTimedDiverted());
      reader.accept(page);
      boolean isAdded =
          inFlight.add(page.rows(), page.waitingKeys(), question.asOf(), reader.cursor());
      goesOn = page.leavesOut() || (!isAdded && !page.rows().isEmpty());
    } while (page.rows().isEmpty() && !page.leavesOut() && endsWindow);
    if (page.leavesOut()) {
      progress.passOver();
    }
    return divert() || goesOn ? Reading.GO_ON : Reading.PAGE;
  }

  /**
   * Checks for rows below the reader's floor, unless that was done within {@code interval} or
   * nothing was read since the lease was taken. If there are any, the lease is lost.
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

  /** Diverts waiting rows of closed keys; returns whether there were any. */
  boolean divert() {
    List<Diversion> diversions = inFlight.toDivert();
    if (diversions.isEmpty()) {
      return false;
    }
    lease.divert(diversions);
    inFlight.diverted(diversions);
    diverted.added();
    progress.passOver();
    return true;
  }
}
