package dev.postcommit.internal.relay;

import java.time.Duration;

/**
 * Decides when a relay polls its table next. Safe for use by many threads.
 *
 * <p>Postgres cannot tell a relay of a commit without making the committer pay for it, so the relay
 * has to poll; only writers in its own process can wake it up for free. Polling early costs the
 * database, polling late costs latency. Five rules balance the two:
 *
 * <ol>
 *   <li><b>Progress.</b> After a full batch the relay polls again at once, after a partial one it
 *       waits for one gap (a few milliseconds, the store's pace), and each poll that finds nothing
 *       doubles the wait, up to the poll interval.
 *   <li><b>Wake-ups.</b> The wait is cut to one gap when a writer in this process has committed, or
 *       when a settlement frees the key of an event that the last poll had to leave.
 *   <li><b>Batching.</b> Polls keep one gap apart on average, however many wake-ups there are, so
 *       that under load events gather into batches; after an idle moment up to three polls may
 *       follow one another at once, so that under low load no event waits for a gap.
 *   <li><b>Courtesy.</b> The gap is twice the usual duration of a poll, but between one and five
 *       paces, so that a busy database is polled less often.
 *   <li><b>Look-ahead.</b> When eight polls in a row found events because of a wake-up, all writers
 *       seem to be in this process, and polls without a wake-up come sixteen paces apart until one
 *       of them finds something; that one is forgiven if the wake-up for it was merely late and
 *       arrives before the next poll.
 * </ol>
 *
 * <p>Correctness rests on none of this: without any wake-up every event is found by the timer.
 */
final class PollPacing {

  /** Why it is time for a poll. */
  enum Cause {
    /** The wait is over. */
    TIMER,
    /** A writer in this process has committed. */
    WAKE_UP,
    /** Events were settled for which others had to wait. */
    SETTLEMENT
  }

  /** How many polls may follow one another without a gap. */
  private static final int BURST = 3;

  /** How many times the usual duration of a poll the gap is, and how many paces at most. */
  private static final int GAP_OF_DURATION = 2;

  private static final int MOST_PACES = 5;

  /** How many polls the usual duration is averaged over. */
  private static final int AVERAGED = 8;

  /**
   * How many polls in a row have to find events because of a wake-up, and the paces between then.
   */
  private static final int TRUSTED_AFTER = 8;

  private static final int TRUSTED_PACES = 16;

  private final long pace;
  private final long longestWait;

  private long polledAt;
  private long wait;
  private long gap;
  private long credit;
  private long usualDuration;

  private boolean isWokenUp;
  private boolean isFreed;
  private int hitsByWakeUp;
  private boolean wasHitByTimer;

  private boolean leavesSome;
  private long settlements;
  private long settlementsBefore;

  /**
   * The pacing of one relay, which has not polled yet.
   *
   * @param pace the shortest gap between polls
   * @param longestWait the time between polls that keep finding nothing
   * @param now this, and every other time, by {@link System#nanoTime}
   */
  PollPacing(Duration pace, Duration longestWait, long now) {
    this.pace = pace.toNanos();
    this.longestWait = Math.max(longestWait.toNanos(), this.pace);
    this.gap = this.pace;
    this.wait = this.pace;
    this.credit = BURST * gap;
    this.polledAt = now;
  }

  /** How long to wait for a wake-up before the next poll, in nanoseconds. */
  synchronized long untilPoll(long now) {
    return polledAt + wait - now;
  }

  /** How long to wait in any case, so that events gather. */
  synchronized long untilAllowed(long now) {
    return wait == 0 ? 0 : gap - credit(now);
  }

  /** The time saved up for polls that follow one another at once. */
  private long credit(long now) {
    return Math.min(BURST * gap, credit + now - polledAt);
  }

  /** There is no reason to wait for longer than a gap any more. */
  synchronized void hurry() {
    wait = Math.min(wait, gap);
  }

  /** A writer in this process has committed. */
  synchronized void wokenUp() {
    isWokenUp = true;
  }

  /**
   * A batch is settled.
   *
   * @param frees whether events are known that had to wait for it, whatever the last poll left
   * @return whether that is a reason to poll
   */
  synchronized boolean settled(boolean frees) {
    settlements++;
    boolean isReason = frees || leavesSome;
    isFreed |= isReason;
    return isReason;
  }

  /** A poll begins, or what has to be checked before it. */
  synchronized void begin(long now) {
    credit = Math.max(0, credit(now) - gap);
    polledAt = now;
  }

  /** Why the table is read now; what happens from here on is a reason for another poll. */
  synchronized Cause takeCause() {
    Cause cause = isWokenUp ? Cause.WAKE_UP : isFreed ? Cause.SETTLEMENT : Cause.TIMER;
    isWokenUp = false;
    isFreed = false;
    settlementsBefore = settlements;
    return cause;
  }

  /**
   * A poll ends.
   *
   * @param found how many events it found
   * @param most how many it could find
   * @param leaves whether it may have left some, for now or until others are settled
   * @param cause what {@link #takeCause} said of it
   * @return whether what it left may have been freed meanwhile, a reason to poll again
   */
  synchronized boolean end(int found, int most, boolean leaves, Cause cause, long now) {
    leavesSome = leaves;
    boolean mayBeFree = leaves && settlements > settlementsBefore;
    isFreed |= mayBeFree;
    if (found < most) {
      usualDuration += (now - polledAt - usualDuration) / AVERAGED;
      gap = Math.min(Math.max(pace, GAP_OF_DURATION * usualDuration), MOST_PACES * pace);
    }
    learn(cause, found);
    boolean isTrusted = !leaves && !wasHitByTimer && hitsByWakeUp >= TRUSTED_AFTER;
    long least = isTrusted ? Math.max(gap, Math.min(TRUSTED_PACES * pace, longestWait)) : gap;
    if (found == 0) {
      wait = Math.max(Math.min(2 * wait, longestWait), least);
    } else {
      wait = found < most ? least : 0;
    }
    return mayBeFree;
  }

  /** Counts what wake-ups were good for. After a full batch no poll waits for one. */
  private void learn(Cause cause, int found) {
    if (wasHitByTimer && cause != Cause.WAKE_UP) {
      hitsByWakeUp = 0;
    }
    boolean isHit = found > 0 && wait > 0;
    wasHitByTimer = isHit && cause == Cause.TIMER;
    if (isHit && cause == Cause.WAKE_UP) {
      hitsByWakeUp++;
    }
  }
}
