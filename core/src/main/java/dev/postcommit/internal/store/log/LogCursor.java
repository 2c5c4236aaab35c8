package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * How far a log is delivered.
 *
 * @param floor rows that {@code seen} does not see have higher numbers, but for those of
 *     transactions that it shows as running
 * @param seen all rows that this snapshot sees are delivered
 * @param upto what is being delivered: what this snapshot sees besides; null if nothing is
 * @param position the number up to which that is delivered
 */
record LogCursor(long floor, Snapshot seen, @Nullable Snapshot upto, long position) {

  /** The same with a floor of at most this; a lower one only means that more rows are looked at. */
  LogCursor withFloorUpTo(long most) {
    return floor <= most ? this : new LogCursor(most, seen, upto, position);
  }

  /** Where everything that {@code seen} sees is delivered. */
  static LogCursor at(long floor, Snapshot seen) {
    return new LogCursor(floor, seen, null, 0);
  }
}
