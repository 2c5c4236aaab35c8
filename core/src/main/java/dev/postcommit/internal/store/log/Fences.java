package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Snapshot;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The relay's own transactions, which bound how far back rows may be that a snapshot does not see.
 *
 * <p>A fence is the id of a transaction that wrote the cursor, and the number that the table's
 * sequence had reached before that id was given out. A row takes its transaction's id before its
 * number, so rows of transactions with higher ids have higher numbers. Once a fence has completed,
 * the ids that a snapshot says nothing about, because they are at or above its {@code xmax}, are
 * higher than the fence's.
 *
 * <p>The number of rows between the oldest and the newest fence is limited. Transactions older than
 * all fences are long ones, and their rows are found by their ids. Safe for use by many threads.
 */
final class Fences {
  /** How many rows may be read twice, to find those of transactions that committed late. */
  static final long OVERLAP = 2_000;

  /** How many at most. */
  private static final long FARTHEST = 10 * OVERLAP;

  private static final int MOST = 1_000;

  private record Fence(long xid, long number) {}

  private final Deque<Fence> fences = new ArrayDeque<>();

  /** Starts over with a first fence. */
  synchronized void begin(long xid, long number) {
    fences.clear();
    fences.add(new Fence(xid, number));
  }

  /** Adds a fence that has completed. */
  synchronized void add(long xid, long number) {
    fences.addLast(new Fence(xid, number));
    while (fences.size() > 1 && (fences.size() > MOST || isDispensable(number))) {
      fences.removeFirst();
    }
  }

  /** Whether the next fence suffices, or the first one is too far back. */
  private boolean isDispensable(long number) {
    return number - second().number() > OVERLAP || number - fences.getFirst().number() > FARTHEST;
  }

  private Fence second() {
    var all = fences.iterator();
    all.next();
    return all.next();
  }

  /**
   * Where the rows are that a snapshot does not see: above {@code floor}, except those of the
   * transactions {@code old}, which it shows as running.
   */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  record Bound(long floor, long[] old) {}

  /**
   * Where the rows are that a snapshot does not see.
   *
   * @param before the floor of an earlier snapshot, for one that was taken before any fence
   */
  synchronized Bound bound(Snapshot snapshot, long before) {
    long oldest = fences.getFirst().xid();
    if (oldest >= snapshot.xmax()) {
      // It was taken before the oldest fence had completed.
      return new Bound(before, snapshot.running());
    }
    long lowest = snapshot.xmax();
    for (long id : snapshot.running()) {
      if (id > oldest) {
        lowest = id;
        break;
      }
    }
    long floor = before;
    for (Fence fence : fences) {
      if (fence.xid() < lowest) {
        floor = fence.number();
      }
    }
    return new Bound(floor, snapshot.runningBelow(oldest).toArray());
  }

  /** The number that the table's sequence had reached at the newest fence. */
  synchronized long newest() {
    return fences.getLast().number();
  }
}
