package dev.postcommit.relay.internal;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether a relay's table can be used.
 *
 * <p>All of it is checked before the first claim and after each error, which may mean that the
 * table is another one now; and until nothing is found. What can change without an error is checked
 * once a minute.
 */
final class TableFit {
  private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private final Supplier<List<String>> all;
  private final Supplier<List<String>> changing;
  private final LongSupplier nanoTime;
  private volatile boolean doubtful = true;
  private long checkedAt;

  TableFit(Supplier<List<String>> all, Supplier<List<String>> changing, LongSupplier nanoTime) {
    this.all = all;
    this.changing = changing;
    this.nanoTime = nanoTime;
  }

  /** What keeps the table from being used; empty if nothing does. For one thread at a time. */
  List<String> problems() {
    long now = nanoTime.getAsLong();
    if (!doubtful && now - checkedAt < INTERVAL_NANOS) {
      return List.of();
    }
    boolean wasDoubtful = doubtful;
    // An error from here on, also one of another thread, raises the next doubt.
    doubtful = false;
    try {
      List<String> found = wasDoubtful ? all.get() : changing.get();
      doubtful |= !found.isEmpty();
      checkedAt = now;
      return found;
    } catch (RuntimeException e) {
      doubtful = true;
      throw e;
    }
  }

  /** Something went wrong: the table may not be what it was. */
  void doubt() {
    doubtful = true;
  }
}
