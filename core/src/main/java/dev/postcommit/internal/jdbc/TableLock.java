package dev.postcommit.internal.jdbc;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;

/** The advisory lock that serialises claims on a table. */
public final class TableLock {

  /** Sets our advisory locks apart from those of the application. */
  public static final String LOCK_SPACE = "1886352244";

  /** Names a table among advisory locks. */
  public static final String LOCK_KEY =
      LOCK_SPACE + ", CAST(CAST(CAST('{table}' AS regclass) AS oid) AS int)";

  /** Begins a claim's transaction, and serialises claims on the table until it ends. */
  public static final String LOCK =
      TransactionStart.BEGIN
          + """
          ,
            set_config('postcommit.locked', 'true', true), pg_advisory_xact_lock("""
          + LOCK_KEY
          + ")";

  /** Whether this transaction is the one that took the lock: the setting ends with it. */
  public static final String IS_LOCKED =
      "coalesce(current_setting('postcommit.locked', true), '') = 'true'";

  private TableLock() {}

  /** Refuses a claim that found itself {@linkplain #IS_LOCKED without the lock}. */
  public static void requireLocked(boolean isLocked, Layout layout) {
    if (!isLocked) {
      throw new PostcommitException(
          "could not claim events of %s: its lock was gone before they were picked, so nothing was claimed; give the relay a driver or pooler that leaves BEGIN and COMMIT as they are"
              .formatted(layout.table()));
    }
  }
}
