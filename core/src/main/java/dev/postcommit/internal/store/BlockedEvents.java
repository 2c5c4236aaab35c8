package dev.postcommit.internal.store;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.store.ClaimRequest;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Events of a table that are due and cannot be claimed, because an earlier one of their key waits
 * for a topic. Every claim would walk over them, so they are deferred too. Safe for use by many
 * threads.
 */
public final class BlockedEvents {
  /** Few enough that other relays, whose claims wait for it, do not wait long. */
  public static final int AT_ONCE = 1_000;

  private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

  /** How long to leave alone those that are blocked for another reason. */
  private static final long RECHECK_NANOS = Duration.ofSeconds(1).toNanos();

  private final Database database;
  private final NamedSql deferBehind;
  private final LongSupplier nanoTime;
  private volatile boolean found;
  private volatile long notBefore;

  /**
   * Those of a table.
   *
   * @param deferBehind defers at most {@link #AT_ONCE} of the first {@code :rows} events, from
   *     number {@code :from} on if events have numbers; returns how many as {@code deferred}
   */
  public BlockedEvents(Database database, NamedSql deferBehind, LongSupplier nanoTime) {
    this.database = database;
    this.deferBehind = deferBehind;
    this.nanoTime = nanoTime;
    this.notBefore = nanoTime.getAsLong();
  }

  /** Notes whether a claim saw events that are blocked while others wait. */
  public void seen(boolean any) {
    found = any;
  }

  /**
   * Defers some of them, if there are any and it is time to.
   *
   * @param from the number to start from, if the statement takes one
   * @param rows how many events to scan
   */
  public void deferSome(ClaimRequest request, OptionalLong from, int rows) {
    // In a scope of its own a key is not held back by events of others.
    boolean isTime = found && nanoTime.getAsLong() - notBefore >= 0;
    if (request.ordering() != Ordering.PER_KEY || request.isScoped() || !isTime) {
      return;
    }
    int deferred =
        database.run(
            "defer events of",
            deferBehind,
            to -> {
              if (from.isPresent()) {
                to.set("from", from.getAsLong());
              }
              return to.set("rows", rows).row(row -> row.getInt("deferred"));
            });
    notBefore = nanoTime.getAsLong() + (deferred == 0 ? RECHECK_NANOS : PAUSE_NANOS);
  }
}
