package dev.postcommit;

/**
 * An event was to be enqueued without a transaction that it could be part of; nothing was written.
 */
public final class NoTransactionException extends PostcommitException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with its standard advice. */
  public NoTransactionException() {
    super(
        "the connection is in auto-commit mode, so the event would not share a transaction with"
            + " your rows; call setAutoCommit(false) first and enqueue before you commit");
  }

  /**
   * Creates the exception for a caller that knows better what to do.
   *
   * @param advice what is missing, and what to do about it
   */
  public NoTransactionException(String advice) {
    super(advice);
  }
}
