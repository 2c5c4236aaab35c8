package dev.postcommit.internal.relay;

import dev.postcommit.internal.relay.Rhythm.Cause;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What prompts a look for events before its time: writers that call, and settlements, if events had
 * to be left for them. Looks come one at a time; calls and settlements come from any thread.
 */
final class Prompts {
  private final AtomicLong settlements = new AtomicLong();
  private volatile boolean called;
  private volatile boolean freed;
  private volatile boolean leftSome;
  private long settledBefore;

  /** A writer has committed. */
  void call() {
    called = true;
  }

  /**
   * A batch is settled; returns whether that is a reason to look.
   *
   * @param frees whether events are known that had to wait for it, whatever was left
   */
  boolean settled(boolean frees) {
    settlements.incrementAndGet();
    boolean isReason = frees || leftSome;
    if (isReason) {
      freed = true;
    }
    return isReason;
  }

  /** A look begins; says why, and what comes from now on is a reason for another. */
  Cause look() {
    Cause cause = called ? Cause.CALL : freed ? Cause.SETTLEMENT : Cause.TIME;
    called = false;
    freed = false;
    settledBefore = settlements.get();
    return cause;
  }

  /** The look has left events or not; returns whether they may be free by now. */
  boolean looked(boolean leavesSome) {
    leftSome = leavesSome;
    boolean mayBeFree = leavesSome && settlements.get() > settledBefore;
    if (mayBeFree) {
      freed = true;
    }
    return mayBeFree;
  }
}
