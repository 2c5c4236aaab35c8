package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Snapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * Which numbers a reader of a log left out for which transactions since the last {@linkplain
 * LogLease#check check}: those below the floor of a window, where no row should be. For use by one
 * thread at a time.
 */
final class LogPassed {

  /**
   * Transactions whose rows up to the floor were left out.
   *
   * @param from the lowest id
   * @param to one past the highest id
   */
  record Range(long from, long to, long floor) {}

  /** With so many ranges, it is time for a check. */
  private static final int MANY = 500;

  private static final long ALL = Long.MAX_VALUE;

  private final List<Range> ranges = new ArrayList<>();

  /** Begins at a cursor; rows were last checked for up to a floor, as far as a snapshot sees. */
  void begin(Snapshot checked, long checkedFloor, LogCursor cursor) {
    ranges.clear();
    ranges.add(new Range(checked.xmax(), ALL, checkedFloor));
    add(cursor.seen().xmax(), cursor.floor());
  }

  /** Rows up to this number are left out, for transactions from this id on. */
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

  /** The ranges, from the lowest id on. */
  List<Range> ranges() {
    return List.copyOf(ranges);
  }

  /** What this snapshot sees is checked; what it does not see remains. */
  void checked(Snapshot read) {
    List<Range> left = new ArrayList<>();
    for (long id : read.running()) {
      for (Range range : ranges) {
        if (id >= range.from() && id < range.to()) {
          left.add(new Range(id, id + 1, range.floor()));
        }
      }
    }
    // A floor holds for no lower ids than it was found for, and the snapshot may be older than
    // that:
    // the one of a window that an earlier leaseholder had begun before it checked.
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
