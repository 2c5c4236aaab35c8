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
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native table beside a log, as claims on the log see it.
 *
 * <p>Usually a claim looks at it at once. If very many rows of a key that waits are in the way, to
 * go past them takes long, and events of the log would wait for that. Then it is first surveyed,
 * from a thread of its own, and a claim looks at it only after a survey has found something. A
 * survey takes nothing, so nothing is lost with it. Safe for use by many threads.
 */
final class LogDiverted {
  private static final Logger log = LoggerFactory.getLogger(LogDiverted.class);

  /** How much longer than a look the pause after it is, so that others have the database. */
  private static final int PAUSE_SHARE = 8;

  /** How long the end of a look is waited for; it may be waiting for the database itself. */
  private static final Duration LONGEST_END = Duration.ofSeconds(1);

  private final ClaimedStore store;
  private final Runnable changed;
  private final ThreadFactory threads;
  private volatile boolean finds;
  private boolean isSurveying;
  private boolean isToEnd;
  private long notBefore = System.nanoTime();

  /**
   * A table beside a log.
   *
   * @param name what to call the thread of surveys
   * @param changed is told when events may be claimed that could not be before
   */
  LogDiverted(ClaimedStore store, String name, Runnable changed) {
    this.store = store;
    this.changed = changed;
    this.threads = Daemons.named(name);
  }

  private boolean isSurveyed() {
    return store.hasManyToPass() && !finds;
  }

  /** Takes events; none if there are many in the way, and no survey has found any behind them. */
  Taken take(ClaimRequest request) {
    if (isSurveyed()) {
      return Taken.nothing(true);
    }
    Taken taken = store.take(request);
    if (taken.size() == 0) {
      finds = false;
    }
    return taken;
  }

  /** Begins a survey, if there is reason for one, and none is under way or was just now. */
  synchronized void survey(ClaimRequest request) {
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
        rest(endedAt + PAUSE_SHARE * (endedAt - startedAt));
      } while (survey.goesOn() && !survey.finds() && awaitTurn());
      hasFound = survey.finds();
    } catch (RuntimeException e) {
      log.debug("could not survey diverted events; the next claim tells why", e);
      hasFound = true;
    } finally {
      ended(hasFound);
    }
    if (hasFound) {
      changed.run();
    }
  }

  private synchronized void rest(long until) {
    notBefore = until;
  }

  /** Waits until it is time for the next look; returns whether there is to be one. */
  private synchronized boolean awaitTurn() {
    try {
      for (long left = notBefore - System.nanoTime();
          left > 0 && !isToEnd;
          left = notBefore - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      return !isToEnd;
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
    long deadline = System.nanoTime() + LONGEST_END.toNanos();
    try {
      for (long left = LONGEST_END.toNanos();
          isSurveying && left > 0;
          left = deadline - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    store.settle(claim, outcomes);
    changed.run();
  }

  void renew(Claim claim, Duration lease) {
    store.renew(claim, lease);
  }

  /** Nothing of it stays open. */
  void releaseIdle() {
    endSurvey();
    store.releaseIdle();
  }

  void close() {
    endSurvey();
    store.close();
  }
}
