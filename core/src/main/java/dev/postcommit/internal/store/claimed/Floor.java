package dev.postcommit.internal.store.claimed;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The seq from which a claim scans, so that it does not walk over what was settled long ago. Not
 * safe for use by many threads.
 *
 * <p>A transaction may commit after others that took higher seqs, so the lowest unsettled seq seen
 * becomes the floor only when every transaction that was running then has ended. A transaction has
 * its id before its rows have their seqs, since the table's column defaults are evaluated in this
 * order. So the writer of a row below a seq that a claim saw has a lower id than the claim got
 * after its scan, even if it was still waiting for a dedupe key or in a trigger. The floor does not
 * wait for a transaction that stays open for longer, nor for those older than it; but the claim
 * that finds one of them ended scans from where its rows may lie: above what was seen by the last
 * claim that got a lower id.
 *
 * <p>Events that are tried again may lie below the floor. They are few, and a few times a second a
 * claim queries for them alone. Should any other row lie there all the same, it is seen late, and
 * never missed: also a few times a second, a claim scans a strip of the numbers below the floor.
 * The strip is narrow, as the claim walks over all settled rows that are not vacuumed yet, and none
 * can be while some transaction, even one of a report, stays open.
 *
 * <p>The lowest seq that is not of a {@linkplain HotKeys hot key} is learnt in the same way, and is
 * where a claim starts while no hot key can be claimed. Once a second, and less often the longer
 * that takes, a claim starts at the floor all the same.
 */
final class Floor {
  /** How long the floor waits for a transaction that stays open. */
  private static final long PATIENCE_NANOS = Duration.ofMillis(100).toNanos();

  /**
   * The same while rows are skipped: there is little to walk over then, and to find what it wrote
   * among so many is a long walk.
   */
  private static final long PATIENCE_BEYOND_NANOS = Duration.ofSeconds(5).toNanos();

  private static final long LOOK_BACK_NANOS = Duration.ofMillis(250).toNanos();

  /** Queries for events that are tried again may take one part in this many of the time. */
  private static final int LOOK_BACK_SHARE = 200;

  /** How long the scan of a strip may take. */
  private static final Duration STRIP_TIME = Duration.ofMillis(1);

  private static final long NARROWEST = 512;
  private static final long WIDEST = 1L << 62;

  private static final long WALK_NANOS = Duration.ofSeconds(1).toNanos();

  /** A walk over rows that are otherwise skipped may take one part in this many of the time. */
  private static final int WALK_SHARE = 20;

  /** How many samples are kept to tell where the rows of a transaction may lie. */
  private static final int MOST_RISEN = 1_000;

  /** Rows of transactions with a higher id have higher seqs. */
  private record Sample(long lowestSeq, long beyond, long xid) {}

  /**
   * A transaction that is not waited for.
   *
   * @param fromSeq where its rows may lie
   */
  record Ignored(long xid, long fromSeq) {}

  private final LongSupplier nanoTime;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private final Deque<Sample> risen = new ArrayDeque<>();
  private long epoch;
  private long seq;
  private long beyond;
  private long claim;
  private long ignoredXid;
  private List<Ignored> ignored = List.of();
  private long oldestXid;
  private long oldestSince;
  private boolean tried = true;
  private long againAt;
  private long stripAt;
  private long stripFrom;
  private long stripWidth = NARROWEST;
  private long walkAt;

  Floor(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.againAt = nanoTime.getAsLong();
    this.stripAt = againAt;
    this.walkAt = againAt;
  }

  /**
   * What one claim scans.
   *
   * @param epoch the run of the database server the floor was learnt in; in any other it is void
   * @param seq the floor: the lowest seq to scan
   * @param beyond the same while rows of hot keys are skipped; 0 if none are
   * @param claim the lowest claim that may be live
   * @param ignoredXid transactions up to this one are not waited for
   * @param ignored those of them that are open; if one has ended, the claim starts further back
   * @param looksForAgain whether it queries for events below the floor that are tried again
   * @param stripFrom where a strip below the floor begins that it scans for any other rows
   * @param stripTo the end of the strip
   * @param startedAt when the claim began
   */
  record Bounds(
      long epoch,
      long seq,
      long beyond,
      long claim,
      long ignoredXid,
      List<Ignored> ignored,
      boolean looksForAgain,
      long stripFrom,
      long stripTo,
      long startedAt) {

    List<Long> ignoredXids() {
      return ignored.stream().map(Ignored::xid).toList();
    }

    List<Long> ignoredSeqs() {
      return ignored.stream().map(Ignored::fromSeq).toList();
    }

    /** The same, with nothing below the floor. */
    Bounds above() {
      return new Bounds(
          epoch, seq, beyond, claim, ignoredXid, ignored, false, stripFrom, stripFrom, startedAt);
    }

    private boolean hasStrip() {
      return stripTo > stripFrom;
    }
  }

  /**
   * What one claim saw.
   *
   * @param epoch the run of the server that answered
   * @param lowestClaim the lowest live claim, or 0 if there is none
   * @param lowestSeq the lowest unsettled seq seen, or 0 if there is none
   * @param runningXid every transaction below this one has ended, but for the ignored
   * @param ownXid the claim's own transaction, whose id is from after the scan; 0 if it wrote
   *     nothing then
   * @param ignored the ignored transactions that are open
   * @param beyond what was seen of rows that are not skipped
   * @param tried whether any event is tried again
   * @param lookedBack how long the scan below the floor took
   */
  record Observation(
      long epoch,
      long lowestClaim,
      long lowestSeq,
      long runningXid,
      long ownXid,
      List<Long> ignored,
      Beyond beyond,
      boolean tried,
      Duration lookedBack) {

    Observation withBeyond(Beyond other) {
      return new Observation(
          epoch, lowestClaim, lowestSeq, runningXid, ownXid, ignored, other, tried, lookedBack);
    }
  }

  /**
   * What one claim saw of rows that are not of hot keys.
   *
   * @param lowest the lowest seq of such a row, or 0 if it saw none
   * @param end the seq up to which it scanned, or 0 if it did not
   * @param isReached whether it scanned all of them
   */
  record Beyond(long lowest, long end, boolean isReached) {
    static final Beyond UNKNOWN = new Beyond(0, 0, false);

    /** Up to where all rows are of hot keys, as far as they were scanned. */
    long seq() {
      return lowest == 0 ? end : lowest;
    }
  }

  /** The lowest seq that claims scan. */
  long seq() {
    return seq;
  }

  Bounds bounds() {
    long now = nanoTime.getAsLong();
    boolean again = seq > 0 && tried && now - againAt >= 0;
    boolean strip = seq > 0 && !again && now - stripAt >= 0;
    long stripTo = strip ? stripFrom + Math.min(stripWidth, seq - stripFrom) : stripFrom;
    long start = now - walkAt >= 0 ? 0 : beyond;
    return new Bounds(
        epoch, seq, start, claim, ignoredXid, ignored, again, stripFrom, stripTo, now);
  }

  /** Other keys are hot than before. */
  void forgetBeyond() {
    beyond = 0;
    samples.clear();
  }

  void learn(Bounds bounds, Observation seen) {
    long now = nanoTime.getAsLong();
    if (seen.epoch() != epoch) {
      epoch = seen.epoch();
      seq = 0;
      beyond = 0;
      claim = 0;
      ignoredXid = 0;
      ignored = List.of();
      stripFrom = 0;
      samples.clear();
      risen.clear();
    }
    lookedBack(bounds, seen, now);
    claim = Math.max(claim, seen.lowestClaim());
    boolean isOutdated = isOutdated(bounds, seen);
    if (!isOutdated) {
      forget(bounds, seen);
    }
    long lowest = seen.lowestSeq();
    if (lowest != 0 && lowest < seq) {
      // Late rows: there may be more of them than one batch takes.
      seq = lowest;
      samples.clear();
    }
    long other = seen.beyond().lowest();
    if (other != 0 && other < beyond) {
      beyond = other;
      samples.clear();
    }
    if (isOutdated) {
      return;
    }
    if (seen.ownXid() != 0 && isHigher(lowest, seen.beyond().seq())) {
      samples.addLast(new Sample(lowest, seen.beyond().seq(), seen.ownXid()));
    }
    rise(seen);
    stripFrom = stripFrom >= seq ? 0 : stripFrom;
    boolean isBeyond = beyond > 0 && seen.beyond().isReached();
    ignoreOldest(seen.runningXid(), now, isBeyond ? PATIENCE_BEYOND_NANOS : PATIENCE_NANOS);
  }

  private void lookedBack(Bounds bounds, Observation seen, long now) {
    tried = seen.tried();
    if (bounds.looksForAgain()) {
      againAt =
          now + Math.max(LOOK_BACK_NANOS, seen.lookedBack().toNanos() * (long) LOOK_BACK_SHARE);
    }
    if (bounds.hasStrip()) {
      stripAt = now + LOOK_BACK_NANOS;
      stripFrom = bounds.stripTo();
      boolean wasQuick = seen.lookedBack().compareTo(STRIP_TIME) < 0;
      stripWidth =
          wasQuick ? Math.min(WIDEST, stripWidth * 2) : Math.max(NARROWEST, stripWidth / 2);
    }
    if (bounds.beyond() == 0) {
      walkAt = now + Math.max(WALK_NANOS, (now - bounds.startedAt()) * WALK_SHARE);
    }
  }

  /** Whether a later claim has already seen a transaction ended that this one saw open. */
  private boolean isOutdated(Bounds bounds, Observation seen) {
    return bounds.ignored().stream()
        .anyMatch(i -> seen.ignored().contains(i.xid()) && !ignored.contains(i));
  }

  /** This claim scanned for the rows of those that have ended. */
  private void forget(Bounds bounds, Observation seen) {
    List<Ignored> open =
        ignored.stream()
            .filter(i -> i.xid() > bounds.ignoredXid() || seen.ignored().contains(i.xid()))
            .toList();
    if (open.size() < ignored.size()) {
      ignored = open;
      // What they wrote may lie anywhere among the rows that are skipped.
      forgetBeyond();
    }
  }

  private void rise(Observation seen) {
    for (Sample next = samples.peekFirst();
        next != null && seen.runningXid() >= next.xid();
        next = samples.peekFirst()) {
      // A row that was committed since may still be there, if its key is busy.
      seq = seen.lowestSeq() == 0 ? next.lowestSeq() : Math.min(next.lowestSeq(), seen.lowestSeq());
      beyond = Math.max(beyond, Math.min(next.beyond(), seen.beyond().seq()));
      risen.addLast(samples.removeFirst());
      if (risen.size() > MOST_RISEN) {
        risen.removeFirst();
      }
    }
  }

  /** Stops waiting for the oldest transaction if it has been that for long. */
  private void ignoreOldest(long runningXid, long now, long patience) {
    if (runningXid != oldestXid) {
      oldestXid = runningXid;
      oldestSince = now;
    } else if (!samples.isEmpty() && runningXid > ignoredXid && now - oldestSince >= patience) {
      ignoredXid = runningXid;
      List<Ignored> more = new ArrayList<>(ignored);
      more.add(new Ignored(runningXid, firstSeq(runningXid)));
      ignored = List.copyOf(more);
    }
  }

  /** Where the rows of a transaction may lie. */
  private long firstSeq(long xid) {
    return Stream.concat(risen.stream(), samples.stream())
        .filter(sample -> sample.xid() < xid)
        .mapToLong(Sample::lowestSeq)
        .max()
        .orElse(0);
  }

  private boolean isHigher(long lowest, long other) {
    @Nullable Sample last = samples.peekLast();
    return lowest > (last == null ? seq : last.lowestSeq())
        || other > (last == null ? beyond : Math.max(beyond, last.beyond()));
  }
}
