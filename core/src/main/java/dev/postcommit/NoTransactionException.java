package dev.postcommit;

/** An event was to be enqueued on a connection that has no transaction; nothing was written. */
public final class NoTransactionException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its standard advice. */
  public NoTransactionException() {
    super(
        "the connection is in auto-commit mode, so the event would not share a transaction with"
            + " your rows; call setAutoCommit(false) first and enqueue before you commit");
  }
}
