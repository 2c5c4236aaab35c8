package dev.postcommit.store.internal;

import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.internal.LogAgenda.Diversion;
import dev.postcommit.store.internal.LogReader.Page;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fills a log's agenda with what is read, and takes out of it what is to be diverted. For use by
 * one thread at a time; the agenda is shared with those who settle.
 */
final class LogIntake {
  /** How much is read at once, in batches. */
  private static final int PAGE = 2;

  /** How much may wait in memory, in batches, before nothing more is read. */
  private static final int MOST_WAITING = 4;

  /** How often rows are looked for that no reader finds, while there are others to deliver. */
  static final Duration BUSY = Duration.ofSeconds(5);

  /** How often they are while there are none. */
  static final Duration IDLE = Duration.ofSeconds(1);

  private final LogLease lease;
  private final LogReader reader;
  private final LogAgenda agenda;
  private boolean hasDueDiverted;
  private boolean hasWaiting;
  private long checkedAt = System.nanoTime() - BUSY.toNanos();

  LogIntake(LogLease lease, LogReader reader, LogAgenda agenda) {
    this.lease = lease;
    this.reader = reader;
    this.agenda = agenda;
  }

  /** Whether a diverted event was due when that was last looked at. */
  boolean hasDueDiverted() {
    return hasDueDiverted;
  }

  /** No diverted event is due, or it is to be looked at again. */
  void noneIsDue() {
    hasDueDiverted = false;
  }

  /** Reads on, unless enough waits already; returns whether it did. */
  boolean read(ClaimRequest request, boolean isTaken) {
    long asOf;
    Set<String> keys;
    synchronized (agenda) {
      boolean isEnough =
          isTaken
              ? agenda.waiting() > 0
              : agenda.waiting() >= MOST_WAITING * request.batchSize()
                  || agenda.waitingBytes() / MOST_WAITING >= request.batchBytes();
      if (isEnough) {
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
      hasDueDiverted = page.hasDueDiverted();
      hasWaiting = page.hasWaiting();
      synchronized (agenda) {
        reader.accept(page);
        agenda.add(page.rows());
        agenda.close(page.waitingKeys(), asOf);
      }
    } while (page.rows().isEmpty() && endsWindow);
    return true;
  }

  /**
   * Looks for rows below the reader's floor, unless that was done within {@code interval} or
   * nothing was read since a lease was taken. If there are any, the lease is lost.
   */
  void check(Duration interval) {
    @Nullable Snapshot read = reader.lastRead();
    boolean isDue = System.nanoTime() - checkedAt >= interval.toNanos() || reader.passed().isLong();
    if (read != null && isDue) {
      lease.check(reader.passed(), read);
      checkedAt = System.nanoTime();
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
      hasDueDiverted = true;
    }
    return !diversions.isEmpty();
  }
}
