package dev.postcommit.store.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * From which seq a claim starts to look, so that it does not walk over what was settled long ago.
 *
 * <p>A transaction may commit after others that took higher seqs, so the lowest unsettled seq seen
 * becomes the floor only when every transaction that was running then has ended. One that stays
 * open for longer than a moment is not waited for, nor are those older than it. What it commits
 * later lies below the floor and is found by a look from zero, which happens a few times a second,
 * and less often the longer such a look takes. The floor thus decides how soon a late row is seen,
 * never whether.
 */
final class Floor {
  /** How long the floor waits for a transaction that stays open. */
  private static final long PATIENCE_NANOS = Duration.ofMillis(100).toNanos();

  private static final long LOOK_BACK_NANOS = Duration.ofMillis(250).toNanos();

  /** A look from zero may take at most one part in this many of the time. */
  private static final int LOOK_BACK_SHARE = 20;

  private record Sample(long lowestSeq, long xid) {}

  private final LongSupplier nanoTime;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long epoch;
  private long seq;
  private long claim;
  private long lookBackAt;
  private long ignoredXid;
  private long oldestXid;
  private long oldestSince;

  Floor(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lookBackAt = nanoTime.getAsLong();
  }

  /**
   * Where one claim looks from.
   *
   * @param epoch the run of the database server the floor was learnt in; in any other it is void
   * @param seq the lowest seq to look at
   * @param claim the lowest claim that may be live
   * @param ignoredXid transactions up to this one are not waited for
   * @param startedAt when the claim began
   */
  record View(long epoch, long seq, long claim, long ignoredXid, long startedAt) {
    boolean looksBack() {
      return seq == 0;
    }
  }

  synchronized View view() {
    long now = nanoTime.getAsLong();
    return new View(epoch, now - lookBackAt >= 0 ? 0 : seq, claim, ignoredXid, now);
  }

  /**
   * Learns from a claim.
   *
   * @param serverEpoch the run of the server that answered
   * @param lowestClaim the lowest live claim, or 0 if there is none
   * @param lowestSeq the lowest unsettled seq seen, or 0 if there is none
   * @param runningXid every transaction below this one has ended, but for the ignored
   * @param ownXid the claim's own transaction, or 0 if it wrote nothing
   */
  synchronized void learn(
      View view, long serverEpoch, long lowestClaim, long lowestSeq, long runningXid, long ownXid) {
    long now = nanoTime.getAsLong();
    if (serverEpoch != epoch) {
      epoch = serverEpoch;
      seq = 0;
      claim = 0;
      ignoredXid = 0;
      samples.clear();
    }
    if (view.looksBack()) {
      long took = now - view.startedAt();
      lookBackAt = now + Math.max(LOOK_BACK_NANOS, took * LOOK_BACK_SHARE);
      if (lowestSeq != 0 && lowestSeq < seq) {
        // Late rows: there may be more of them than one batch takes.
        seq = lowestSeq;
        samples.clear();
      }
    }
    claim = Math.max(claim, lowestClaim);
    if (lowestSeq > lastSampled() && ownXid != 0) {
      samples.addLast(new Sample(lowestSeq, ownXid));
    }
    for (Sample next = samples.peekFirst();
        next != null && runningXid >= next.xid();
        next = samples.peekFirst()) {
      // A row that was committed since may still be there, if its key is busy.
      seq = lowestSeq == 0 ? next.lowestSeq() : Math.min(next.lowestSeq(), lowestSeq);
      samples.removeFirst();
    }
    loseInterest(runningXid, now);
  }

  /** Stops waiting for the oldest transaction if it has been that for long. */
  private void loseInterest(long runningXid, long now) {
    if (runningXid != oldestXid) {
      oldestXid = runningXid;
      oldestSince = now;
    } else if (!samples.isEmpty() && now - oldestSince >= PATIENCE_NANOS) {
      ignoredXid = runningXid;
    }
  }

  private long lastSampled() {
    Sample last = samples.peekLast();
    return last == null ? seq : last.lowestSeq();
  }
}
