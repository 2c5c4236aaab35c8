package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.log.LogClaim.Plan;
import dev.postcommit.internal.store.log.LogLease.Grant;
import dev.postcommit.store.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides from where a log is read, and records how far it is delivered.
 *
 * <p>Either the {@linkplain CursorProgress cursor} in the database decides, and events are
 * delivered at least once; or a {@linkplain CheckpointProgress checkpoint} that the broker stores
 * with the messages, and they are delivered exactly once. Safe for use by many threads.
 */
interface LogProgress {

  /** The cursor to read from under a new lease; null if it cannot be known now. */
  @Nullable LogCursor begin(Grant grant);

  /**
   * The lease is lost. On return, nothing recorded under it is still on its way to the database.
   */
  void forget();

  /** For how long messages that an earlier leaseholder sent may still arrive. */
  Duration undecided();

  /** Renews the lease. */
  void renew(Duration wanted);

  /** Rows have left the log without being delivered. */
  void passOver();

  /**
   * The checkpoint to record with the next {@code events} events of a claim.
   *
   * @throws IllegalStateException if there are no checkpoints
   */
  String checkpoint(Claim claim, int events);

  /**
   * A plan was marked, so its rows are delivered or diverted.
   *
   * @param mayWait whether another call that follows soon may record it
   */
  void settled(Plan plan, boolean mayWait);

  /** Nothing is left to claim; returns whether what is not recorded yet could be recorded. */
  boolean catchUp();

  /** Writes the cursor before the lease is given up. */
  void writeCursor();
}
