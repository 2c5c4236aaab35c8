package dev.postcommit.internal.relay;

import java.time.Duration;

/**
 * How long to wait before the next look for events.
 *
 * <p>Not at all after a full batch, and shortly otherwise; while there are none, longer and longer.
 * Writers of the relay's own process may call after each commit, which ends a pause. If they call
 * often, looks keep a distance all the same, so that events gather; a few calls after a time of
 * rest are followed at once. The longer looks take, as when the database has much to do, the longer
 * is the distance.
 *
 * <p>If one find after the other was called for, there seem to be no other writers: then looks that
 * nobody called for come seldom, until one of them finds something.
 */
final class Rhythm {

  /** Why it is time for a look. */
  enum Cause {
    /** The pause is over. */
    TIME,
    /** A writer has committed. */
    CALL,
    /** Events were settled for which others had to wait. */
    SETTLEMENT
  }

  /** How many finds in a row have to be called for. */
  private static final int FINDS = 8;

  /** How much longer the pause is then, after a look that found something. */
  private static final int PATIENCE = 16;

  /** How many looks may follow each other at once. */
  private static final int BURST = 3;

  /** How much longer than a look the pause is at least. */
  private static final int DISTANCE = 2;

  /** How much longer than the pace it is for that at most. */
  private static final int FARTHEST = 5;

  /** How many looks the usual length of a look is learnt from. */
  private static final int MEMORY = 8;

  private final long pace;
  private final long longest;
  private long shortest;
  private long usual;
  private long pause;
  private long lookedAt;
  private long rested;
  private int calledFor;
  private boolean isUncalledFor;

  /**
   * A rhythm.
   *
   * @param shortest the pause between looks that find events
   * @param longest the pause between looks that find none for long
   * @param now this, and every other time, by {@link System#nanoTime}
   */
  Rhythm(Duration shortest, Duration longest, long now) {
    this.pace = shortest.toNanos();
    this.shortest = pace;
    this.longest = Math.max(longest.toNanos(), pace);
    this.pause = pace;
    this.rested = BURST * this.shortest;
    this.lookedAt = now;
  }

  /** How long the pause lasts from now on, in nanoseconds, unless someone calls. */
  long left(long now) {
    return lookedAt + pause - now;
  }

  /** How much of it is kept in any case. */
  long gathering(long now) {
    return pause == 0 ? 0 : shortest - rested(now);
  }

  private long rested(long now) {
    return Math.min(BURST * shortest, rested + now - lookedAt);
  }

  /** The pause is cut short. */
  void cut() {
    pause = Math.min(pause, shortest);
  }

  /** A look begins. */
  void looks(long now) {
    rested = Math.max(0, rested(now) - shortest);
    lookedAt = now;
  }

  /**
   * Learns from a look.
   *
   * @param found how many events there were
   * @param most how many there could be
   * @param leavesSome whether there may be more
   */
  void looked(int found, int most, boolean leavesSome, Cause cause, long now) {
    if (found < most) {
      usual += (now - lookedAt - usual) / MEMORY;
      shortest = Math.min(Math.max(pace, DISTANCE * usual), FARTHEST * pace);
    }
    if (isUncalledFor && cause != Cause.CALL) {
      calledFor = 0;
    }
    // After a full batch nobody waits for a call. And the call for what was found may be to come.
    boolean isFind = found > 0 && pause > 0;
    isUncalledFor = isFind && cause == Cause.TIME;
    if (isFind && cause == Cause.CALL) {
      calledFor++;
    }
    long least =
        leavesSome || isUncalledFor || calledFor < FINDS
            ? shortest
            : Math.max(shortest, Math.min(PATIENCE * pace, longest));
    if (found == 0) {
      pause = Math.max(Math.min(2 * pause, longest), least);
    } else {
      pause = found < most ? least : 0;
    }
  }
}
