package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * How far a log is delivered.
 *
 * @param floor rows that {@code seen} does not see have higher numbers, except those of
 *     transactions that it shows as running
 * @param seen all rows that this snapshot sees are delivered
 * @param upto the snapshot of the window that is being delivered; null if none is
 * @param position the number up to which that window is delivered
 */
record LogCursor(long floor, Snapshot seen, @Nullable Snapshot upto, long position) {

  /** The same with a floor of at most this; a lower floor only means that more rows are read. */
  LogCursor withFloorUpTo(long most) {
    return floor <= most ? this : new LogCursor(most, seen, upto, position);
  }

  /** Where everything that {@code seen} sees is delivered. */
  static LogCursor at(long floor, Snapshot seen) {
    return new LogCursor(floor, seen, null, 0);
  }
}
