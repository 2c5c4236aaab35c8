package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Snapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * Which numbers a reader of a log left out for which transactions, since rows there were last
 * {@linkplain LogRepair looked for}: below the floor of its window, as no row should be there. Not
 * safe for use by many threads.
 */
final class LogPassed {

  /**
   * Transactions of these ids, of which rows up to the floor were left out.
   *
   * @param from the lowest id
   * @param to one past the highest id
   */
  record Range(long from, long to, long floor) {}

  /** With so many, it is time to look for rows, and forget them. */
  private static final int MANY = 500;

  private static final long ALL = Long.MAX_VALUE;

  private final List<Range> ranges = new ArrayList<>();

  /** Begins at a cursor, of which rows were last looked for up to a floor after a snapshot. */
  void begin(Snapshot checked, long checkedFloor, LogCursor cursor) {
    ranges.clear();
    ranges.add(new Range(checked.xmax(), ALL, checkedFloor));
    add(cursor.seen().xmax(), cursor.floor());
  }

  /** From this id on, rows up to this number are left out. */
  void add(long from, long floor) {
    Range last = ranges.get(ranges.size() - 1);
    if (floor > last.floor() && from >= last.from()) {
      ranges.set(ranges.size() - 1, new Range(last.from(), from, last.floor()));
      ranges.add(new Range(from, ALL, floor));
    }
  }

  boolean isLong() {
    return ranges.size() >= MANY;
  }

  /** What is known, from the lowest number on. */
  List<Range> ranges() {
    return List.copyOf(ranges);
  }

  /** No rows are there of what this snapshot sees; what it does not is still to be looked for. */
  void checked(Snapshot read) {
    List<Range> left = new ArrayList<>();
    for (long id : read.running()) {
      for (Range range : ranges) {
        if (id >= range.from() && id < range.to()) {
          left.add(new Range(id, id + 1, range.floor()));
        }
      }
    }
    // A floor holds for no lower ids than it was found for, and the snapshot may be older: that of
    // a window that another reader left half-way, before it was gone on from where that had looked.
    for (Range range : ranges) {
      if (range.to() > read.xmax()) {
        left.add(new Range(Math.max(range.from(), read.xmax()), range.to(), range.floor()));
      }
    }
    ranges.clear();
    ranges.addAll(left);
  }

  /** The number up to which rows are left out now. */
  long floor() {
    return ranges.get(ranges.size() - 1).floor();
  }
}
