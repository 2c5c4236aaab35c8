package dev.postcommit.internal.relay;

import dev.postcommit.store.Claim;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.List;

/**
 * A claim together with what is known of its lease: it ends by this process's own running clock,
 * counted from before the claim was asked for, so never later than the database thinks.
 */
final class Batch {
  private final Claim claim;
  private final long leaseNanos;
  private final long undecidedUntil;
  private final long takenAt;
  private volatile long leasedAt;
  private volatile boolean lost;

  /**
   * A batch.
   *
   * @param undecided for how long from now none of its events may be given up
   */
  Batch(Claim claim, long leasedAt, Duration lease, Duration undecided) {
    this.claim = claim;
    this.undecidedUntil = System.nanoTime() + undecided.toNanos();
    this.leasedAt = leasedAt;
    this.takenAt = leasedAt;
    this.leaseNanos = lease.toNanos();
  }

  Claim claim() {
    return claim;
  }

  List<StoredEvent> events() {
    return claim.events();
  }

  /**
   * When the lease began under which the events were taken. The database server that was there then
   * is the one that they were read from, or that had the lease on what was read before.
   */
  long takenAt() {
    return takenAt;
  }

  /** Whether the events may still be sent and settled under this claim. */
  boolean isHeld() {
    return !lost && System.nanoTime() - leasedAt < leaseNanos;
  }

  /** Whether a third of the lease is over. */
  boolean wantsRenewal() {
    return !lost && System.nanoTime() - leasedAt > leaseNanos / 3;
  }

  /**
   * For how long none of its events may be given up: another relay, which is gone, may have sent
   * them too.
   */
  Duration undecided() {
    return Duration.ofNanos(Math.max(undecidedUntil - System.nanoTime(), 0));
  }

  void renewed(long at) {
    leasedAt = at;
  }

  void lose() {
    lost = true;
  }
}
