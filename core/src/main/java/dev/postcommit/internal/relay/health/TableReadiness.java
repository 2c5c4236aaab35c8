package dev.postcommit.internal.relay.health;

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
public final class TableReadiness {
  private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private final Supplier<List<String>> all;
  private final Supplier<List<String>> changing;
  private final LongSupplier nanoTime;
  private volatile boolean doubtful = true;
  private volatile boolean interrupted;
  private long checkedAt;

  public TableReadiness(
      Supplier<List<String>> all, Supplier<List<String>> changing, LongSupplier nanoTime) {
    this.all = all;
    this.changing = changing;
    this.nanoTime = nanoTime;
  }

  /** What keeps the table from being used; empty if nothing does. For one thread at a time. */
  public List<String> problems() {
    long now = nanoTime.getAsLong();
    if (!doubtful && !interrupted && now - checkedAt < INTERVAL_NANOS) {
      return List.of();
    }
    boolean wasDoubtful = doubtful;
    interrupted = false;
    // An error from here on, also one of another thread, raises the next doubt.
    doubtful = false;
    try {
      List<String> found = wasDoubtful ? all.get() : changing.get();
      doubtful |= !found.isEmpty();
      checkedAt = now;
      return found;
    } catch (RuntimeException e) {
      doubtful |= wasDoubtful;
      interrupted = true;
      throw e;
    }
  }

  /**
   * The database was away: the table may be being restored. Everything else is as it was, and would
   * take long to check while others wait.
   */
  public void interrupted() {
    interrupted = true;
  }

  /** Something went wrong: the table may not be what it was. */
  public void doubt() {
    doubtful = true;
  }
}
