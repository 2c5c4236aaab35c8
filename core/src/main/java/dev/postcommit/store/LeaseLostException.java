package dev.postcommit.store;

import dev.postcommit.PostcommitException;

/**
 * A claim was settled or renewed after its lease had ended and the events were given to another, or
 * were settled already; nothing was changed.
 */
public final class LeaseLostException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception for events of one table. */
  public LeaseLostException(String table, String what) {
    super(
        "lease lost on "
            + what
            + " of "
            + table
            + ": its time ran out and another relay took over, or it was settled before;"
            + " nothing was changed. If this happens often, make the lease longer or the batch"
            + " smaller");
  }
}
