package dev.postcommit.store;

import dev.postcommit.PostcommitException;

/**
 * A decision on dead events that was carried out for some of them only, because the database failed
 * then. What was done is in the audit table; the decision can be repeated for the rest.
 */
public final class UnfinishedDecisionException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  private final long changed;

  /** Creates one of the failure that ended it, and of the number of events changed before. */
  public UnfinishedDecisionException(PostcommitException failure, long changed) {
    super(failure.getMessage() + "; " + rest(changed), failure.getCause());
    this.changed = changed;
  }

  /** How many events were changed, and are in the audit table. */
  public long changed() {
    return changed;
  }

  /** What was done, and what to do about the rest. */
  public String rest() {
    return rest(changed);
  }

  private static String rest(long changed) {
    return changed
        + (changed == 1 ? " event was" : " events were")
        + " done before that, as the audit table says; decide again on the rest";
  }
}
