package dev.postcommit.internal.store;

import dev.postcommit.store.Claim;

/**
 * A log whose {@linkplain Checkpoints checkpoint} is recorded together with its events.
 *
 * <p>Its claims follow one another without a gap, and are delivered in that order. Settling events
 * as delivered says that the checkpoint that was {@linkplain #checkpoint asked for} is recorded.
 */
public interface CheckpointedLog extends RelayStore {

  /** Whether a claim may be delivered. */
  enum State {
    /** Everything before it is settled. */
    READY,
    /** There is an earlier claim. */
    WAITING,
    /** It is lost, or rows before it were given back, or an earlier event of its keys diverted. */
    STALE
  }

  /** Whether a claim is on events of the log, not on diverted ones. */
  boolean isInLog(Claim claim);

  /** Whether a claim may be delivered. */
  State state(Claim claim);

  /**
   * The checkpoint to record with the next {@code events} events of a claim that is ready. The
   * table's cursor stays behind them until the checkpoint after it.
   *
   * @throws dev.postcommit.store.LeaseLostException if the claim must not be delivered any more
   */
  String checkpoint(Claim claim, int events);

  /** Begins anew because the fate of a claim is unknown, unless that has happened already. */
  void abandon(Claim claim);
}
