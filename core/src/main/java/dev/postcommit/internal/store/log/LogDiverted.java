package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.internal.store.claimed.ClaimedStore;
import dev.postcommit.internal.store.claimed.ClaimedStore.Survey;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.Outcome;
import dev.postcommit.support.Daemons;
import java.time.Duration;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native table beside a log, as a log's claims use it.
 *
 * <p>A claim usually queries it directly. If very many rows of a key that waits are in the way, it
 * takes long to get past them, and events of the log would wait for that. Then a thread of its own
 * first surveys the table, and a claim queries it only after a survey has found something. A survey
 * takes nothing, so nothing is lost with it.
 *
 * <p>Whether an event is due is for use by the claiming thread alone; all else is safe for use by
 * many threads.
 */
final class LogDiverted {
  private static final Logger log = LoggerFactory.getLogger(LogDiverted.class);

  /** How long due events that cannot be claimed are left alone at first. */
  private static final long REST_NANOS = Duration.ofMillis(10).toNanos();

  /** How long at most; the rest doubles each time. */
  private static final long LONGEST_REST_NANOS = Duration.ofMillis(250).toNanos();

  /** How much longer the pause after a query of a survey is than the query. */
  private static final int PAUSE_SHARE = 8;

  /** How long to wait for the end of a query; it may be waiting for the database itself. */
  private static final Duration LONGEST_END = Duration.ofSeconds(1);

  private final ClaimedStore store;
  private final LongSupplier nanoTime;
  private final ThreadFactory threads;
  private boolean isDue;
  private volatile long restsUntil;
  private volatile long restNanos = REST_NANOS;
  private long timedRestUntil;
  private volatile boolean finds;
  private boolean isSurveying;
  private boolean isToEnd;
  private long notBefore = System.nanoTime();

  /**
   * A table beside a log.
   *
   * @param name of the thread that surveys
   */
  LogDiverted(ClaimedStore store, String name, LongSupplier nanoTime) {
    this.store = store;
    this.nanoTime = nanoTime;
    this.threads = Daemons.named(name);
    this.restsUntil = nanoTime.getAsLong();
    this.timedRestUntil = nanoTime.getAsLong();
  }

  /** Whether an event was due when last heard of. */
  boolean isDue() {
    return isDue;
  }

  /** Nothing is known to be due. */
  void forget() {
    isDue = false;
  }

  /** A page of the log has reported what is due. */
  void found(boolean hasDue, boolean hasTimed) {
    // An event with a due time is claimed sooner; but it may be in a claim by now.
    isDue = (hasDue && !rests()) || (hasTimed && nanoTime.getAsLong() - timedRestUntil >= 0);
  }

  /** Events were diverted. */
  void added() {
    isDue = !rests();
  }

  private boolean rests() {
    return nanoTime.getAsLong() - restsUntil < 0;
  }

  /** The events that are due wait for others of their keys. */
  private void noneCanBeClaimed() {
    isDue = false;
    restsUntil = nanoTime.getAsLong() + restNanos;
    timedRestUntil = nanoTime.getAsLong() + REST_NANOS;
    restNanos = Math.min(2 * restNanos, LONGEST_REST_NANOS);
  }

  /** Some may be claimed now: others were settled, or a survey found them. */
  private void someCanBeClaimed() {
    restNanos = REST_NANOS;
    restsUntil = nanoTime.getAsLong();
  }

  private boolean isSurveyed() {
    return store.hasManyToPass() && !finds;
  }

  /**
   * Takes events; none if many are in the way, and no survey has found any behind them.
   *
   * @param undecidedInLog an earlier leaseholder of the log may have sent them before they were
   *     diverted, and for so long these messages may still arrive
   */
  Taken take(ClaimRequest request, Duration undecidedInLog) {
    Taken taken = isSurveyed() ? Taken.NOTHING : takeDirectly(request);
    if (taken.size() == 0) {
      noneCanBeClaimed();
      survey(request);
    }
    Duration undecided = taken.undecided();
    return new Taken(
        taken.size(),
        taken.reader(),
        OptionalLong.empty(),
        true,
        undecidedInLog.compareTo(undecided) > 0 ? undecidedInLog : undecided);
  }

  private Taken takeDirectly(ClaimRequest request) {
    Taken taken = store.take(request);
    if (taken.size() == 0) {
      finds = false;
    }
    return taken;
  }

  /** Begins a survey, if there is reason for one, and none is under way or was just now. */
  private synchronized void survey(ClaimRequest request) {
    if (isSurveyed() && !isSurveying && System.nanoTime() - notBefore >= 0) {
      isSurveying = true;
      isToEnd = false;
      threads.newThread(() -> goThrough(request)).start();
    }
  }

  private void goThrough(ClaimRequest request) {
    boolean hasFound = false;
    try {
      Survey survey;
      do {
        long startedAt = System.nanoTime();
        survey = store.survey(request);
        long endedAt = System.nanoTime();
        pause(endedAt + PAUSE_SHARE * (endedAt - startedAt));
      } while (survey.goesOn() && !survey.finds() && awaitNext());
      hasFound = survey.finds();
    } catch (RuntimeException e) {
      log.debug("could not survey diverted events; the next claim reports the error", e);
      hasFound = true;
    } finally {
      ended(hasFound);
    }
    if (hasFound) {
      someCanBeClaimed();
    }
  }

  private synchronized void pause(long until) {
    notBefore = until;
  }

  /** Waits until it is time for the next query; returns whether there is to be one. */
  private synchronized boolean awaitNext() {
    return waitUntil(notBefore, () -> isToEnd) && !isToEnd;
  }

  /** Waits until a time, or until something is over; returns false if it was interrupted. */
  private synchronized boolean waitUntil(long deadline, BooleanSupplier isOver) {
    try {
      for (long left = deadline - System.nanoTime();
          left > 0 && !isOver.getAsBoolean();
          left = deadline - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private synchronized void ended(boolean hasFound) {
    finds = hasFound;
    isSurveying = false;
    notifyAll();
  }

  /** Ends a survey that is under way; others may follow. */
  private synchronized void endSurvey() {
    isToEnd = true;
    notifyAll();
    boolean unused = waitUntil(System.nanoTime() + LONGEST_END.toNanos(), () -> !isSurveying);
  }

  void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    store.settle(claim, outcomes);
    someCanBeClaimed();
  }

  void renew(Claim claim, Duration lease) {
    store.renew(claim, lease);
  }

  /** Releases what it keeps open. */
  void releaseIdle() {
    endSurvey();
    store.releaseIdle();
  }

  void close() {
    endSurvey();
    store.close();
  }
}
