package dev.postcommit.relay.internal;

import java.time.Duration;

/**
 * How long to wait before the next look for events.
 *
 * <p>Not at all after a full batch, and shortly otherwise, so that events gather; while there are
 * none, longer and longer. Writers of the relay's own process may call after each commit, which
 * ends a long pause. If one find after the other was called for, there seem to be no other writers:
 * then looks that nobody called for come seldom, until one of them finds something.
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

  private final long shortest;
  private final long longest;
  private final long patient;
  private long pause;
  private int calledFor;
  private boolean isUncalledFor;

  Rhythm(Duration shortest, Duration longest) {
    this.shortest = shortest.toNanos();
    this.longest = Math.max(longest.toNanos(), this.shortest);
    this.patient = Math.min(PATIENCE * this.shortest, this.longest);
    this.pause = this.shortest;
  }

  /** The pause between the last look and the next, in nanoseconds, unless it is cut short. */
  long pause() {
    return pause;
  }

  /** The part of it that is kept in any case: writers may call at every commit. */
  long gathering() {
    return Math.min(pause, shortest);
  }

  /** The pause is cut short. */
  void cut() {
    pause = gathering();
  }

  /**
   * Learns from a look.
   *
   * @param found how many events there were
   * @param most how many there could be
   * @param leavesSome whether there may be more
   */
  void looked(int found, int most, boolean leavesSome, Cause cause) {
    if (isUncalledFor && cause != Cause.CALL) {
      calledFor = 0;
    }
    // After a full batch nobody waits for a call. And the call for what was found may be to come.
    boolean isFind = found > 0 && pause > 0;
    isUncalledFor = isFind && cause == Cause.TIME;
    if (isFind && cause == Cause.CALL) {
      calledFor++;
    }
    long least = leavesSome || isUncalledFor || calledFor < FINDS ? shortest : patient;
    if (found == 0) {
      pause = Math.min(Math.max(2 * pause, least), longest);
    } else {
      pause = found < most ? least : 0;
    }
  }
}
