package dev.postcommit.store.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * From which seq a claim starts to look, so that it does not walk over what was settled long ago.
 *
 * <p>A transaction may commit after others that took higher seqs, so the lowest unsettled seq seen
 * becomes the floor only when every transaction that was running then has ended. A transaction has
 * its id before its rows have their seqs, as the table's columns have their defaults in this order;
 * so whoever wrote below a seq that a claim saw had a lower id than the claim got after it looked,
 * also one that was still waiting for a dedupe key or in a trigger. One that stays open for longer
 * is not waited for, nor are those older than it; but the claim that finds one of them ended looks
 * from zero. So do claims a few times a second, and less often the longer such a look takes: should
 * a row lie below the floor all the same, it is seen late, and never missed.
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
  private List<Long> ignored = List.of();
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
   * @param ignored those of them that are open; if one has ended, the claim is to look from zero
   * @param startedAt when the claim began
   */
  record View(
      long epoch, long seq, long claim, long ignoredXid, List<Long> ignored, long startedAt) {
    boolean looksBack() {
      return seq == 0;
    }
  }

  /**
   * What one claim saw.
   *
   * @param epoch the run of the server that answered
   * @param lowestClaim the lowest live claim, or 0 if there is none
   * @param lowestSeq the lowest unsettled seq seen, or 0 if there is none
   * @param runningXid every transaction below this one has ended, but for the ignored
   * @param ownXid the claim's own transaction, whose id is from after the look; 0 if it wrote
   *     nothing then
   * @param ignored the ignored transactions that are open
   */
  record Sight(
      long epoch,
      long lowestClaim,
      long lowestSeq,
      long runningXid,
      long ownXid,
      List<Long> ignored) {}

  synchronized View view() {
    long now = nanoTime.getAsLong();
    long from = now - lookBackAt >= 0 ? 0 : seq;
    return new View(epoch, from, claim, ignoredXid, ignored, now);
  }

  synchronized void learn(View view, Sight sight) {
    long now = nanoTime.getAsLong();
    if (sight.epoch() != epoch) {
      epoch = sight.epoch();
      seq = 0;
      claim = 0;
      ignoredXid = 0;
      samples.clear();
    }
    if (view.looksBack()) {
      long took = now - view.startedAt();
      lookBackAt = now + Math.max(LOOK_BACK_NANOS, took * LOOK_BACK_SHARE);
    }
    claim = Math.max(claim, sight.lowestClaim());
    ignored = sight.ignored();
    long lowest = sight.lowestSeq();
    if (lowest != 0 && lowest < seq) {
      // Late rows: there may be more of them than one batch takes.
      seq = lowest;
      samples.clear();
    }
    if (lowest > lastSampled() && sight.ownXid() != 0) {
      samples.addLast(new Sample(lowest, sight.ownXid()));
    }
    rise(sight);
    loseInterest(sight.runningXid(), now);
  }

  private void rise(Sight sight) {
    for (Sample next = samples.peekFirst();
        next != null && sight.runningXid() >= next.xid();
        next = samples.peekFirst()) {
      // A row that was committed since may still be there, if its key is busy.
      seq =
          sight.lowestSeq() == 0 ? next.lowestSeq() : Math.min(next.lowestSeq(), sight.lowestSeq());
      samples.removeFirst();
    }
  }

  /** Stops waiting for the oldest transaction if it has been that for long. */
  private void loseInterest(long runningXid, long now) {
    if (runningXid != oldestXid) {
      oldestXid = runningXid;
      oldestSince = now;
    } else if (!samples.isEmpty() && now - oldestSince >= PATIENCE_NANOS) {
      ignoredXid = runningXid;
      ignored = Stream.concat(ignored.stream(), Stream.of(runningXid)).toList();
    }
  }

  private long lastSampled() {
    Sample last = samples.peekLast();
    return last == null ? seq : last.lowestSeq();
  }
}
