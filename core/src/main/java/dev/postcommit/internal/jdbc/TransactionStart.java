package dev.postcommit.internal.jdbc;

/** How transactions of relays begin: settings that hold until they end. */
public final class TransactionStart {

  /**
   * Begins a transaction that reads by index whatever the statistics say, for they are at their
   * worst right after a burst of events, and a session may keep a plan that it made when the table
   * was all but empty. Where the driver sends statements one by one, the server ends the
   * transaction of a relay that froze in between.
   */
  public static final String BY_INDEX =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true),
        set_config('idle_in_transaction_session_timeout', '10s', true)""";

  /**
   * Begins a transaction that changes rows as arrays say. Postgres guesses that these are short,
   * and would compare each row with each element.
   */
  public static final String BY_IDS = BY_INDEX + ", set_config('enable_nestloop', 'off', true)";

  private static final String WITHOUT_DISK = ", set_config('synchronous_commit', 'off', true)";

  /** Begins a transaction that settles events: it does not wait for the disk at its commit. */
  public static final String SETTLE = BY_IDS + WITHOUT_DISK;

  /** Begins a claim's transaction, which does not wait for the disk either. */
  public static final String BEGIN =
      BY_INDEX + WITHOUT_DISK + ", set_config('lock_timeout', '10s', true)";

  /**
   * Goes on after one of them: reads the rows in order where an index has it, and does not sort all
   * of a backlog of which the statistics say nothing yet.
   */
  public static final String IN_ORDER = ", set_config('enable_sort', 'off', true)";

  private TransactionStart() {}
}
