package dev.postcommit.internal.store;

import dev.postcommit.store.Claim;

/**
 * A log whose {@linkplain Checkpoints checkpoint} is recorded with the delivery of its events.
 *
 * <p>Its claims follow one another without a gap and are delivered in that order. To settle events
 * as delivered says that the checkpoint that was {@linkplain #checkpoint asked for} is recorded.
 */
public interface CheckpointedLog extends RelayStore {

  /** When a claim is to be delivered. */
  enum Turn {
    /** Everything before it is settled. */
    NOW,
    /** There is an earlier claim. */
    LATER,
    /** It is lost, or what comes before it, or an earlier event of its keys, was diverted. */
    NEVER
  }

  /** Whether a claim is on events of the log, not on those that left it. */
  boolean isInLog(Claim claim);

  /** When a claim is to be delivered. */
  Turn turn(Claim claim);

  /**
   * The checkpoint to record with the next {@code events} events of a claim whose turn it is. Until
   * then the table's cursor stays behind them.
   *
   * @throws dev.postcommit.store.LeaseLostException if it is not to be delivered any more
   */
  String checkpoint(Claim claim, int events);

  /** Begins anew, because what became of a claim is not known, unless that has happened. */
  void abandon(Claim claim);
}
