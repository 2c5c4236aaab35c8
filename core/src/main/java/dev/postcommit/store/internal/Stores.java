package dev.postcommit.store.internal;

import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Held;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds the implementation for a layout, and holds what the implementations share. */
public final class Stores {

  /**
   * Begins a transaction that reads by index whatever the statistics say, for they are at their
   * worst right after a burst of events, and a session may keep a plan that it made when the table
   * was all but empty. Where the driver sends statements one by one, the server ends the
   * transaction of a relay that froze in between.
   */
  static final String BY_INDEX =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true),
        set_config('idle_in_transaction_session_timeout', '10s', true)""";

  /**
   * Begins a transaction that changes rows as arrays say. Postgres guesses that these are short,
   * and would compare each row with each element.
   */
  static final String BY_IDS = BY_INDEX + ", set_config('enable_nestloop', 'off', true)";

  private static final String WITHOUT_DISK = ", set_config('synchronous_commit', 'off', true)";

  /** Begins a transaction that settles events: it does not wait for the disk at its commit. */
  static final String SETTLE = BY_IDS + WITHOUT_DISK;

  /** Begins a claim's transaction, which does not wait for the disk either. */
  static final String BEGIN = BY_INDEX + WITHOUT_DISK + ", set_config('lock_timeout', '10s', true)";

  /**
   * A number for what transaction ids and sequences were learnt for: the last of them may be given
   * out again after a restart, and after the crash of a session, which the server survives but its
   * statistics do not.
   */
  static final String EPOCH =
      """
      hashtextextended(concat(extract(epoch FROM pg_postmaster_start_time()), ' ',
            extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time())), 0)""";

  /** Sets our advisory locks apart from those of the application. */
  static final String LOCK_SPACE = "1886352244";

  /** Names a table among advisory locks. */
  static final String LOCK_KEY =
      LOCK_SPACE + ", CAST(CAST(CAST('{table}' AS regclass) AS oid) AS int)";

  /** Begins a claim's transaction, and serialises claims on the table until it ends. */
  static final String LOCK =
      BEGIN
          + """
          ,
            set_config('postcommit.locked', 'true', true), pg_advisory_xact_lock("""
          + LOCK_KEY
          + ")";

  /** Whether this transaction is the one that took the lock: the setting ends with it. */
  static final String IS_LOCKED =
      "coalesce(current_setting('postcommit.locked', true), '') = 'true'";

  /** What is recorded when an attempt ended with its lease. */
  static final String UNFINISHED =
      "the attempt never finished: its relay stopped, froze or lost the database";

  /** What is recorded when an event is found that has no attempt left. */
  static final String WORN = "it was tried as often as it may be";

  /** The most characters of an error that are kept. */
  static final int MAX_ERROR_LENGTH = 1024;

  /**
   * How long a claim goes past rows that cannot be claimed: what else there is lies behind them.
   */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  /** The same beside a log, in which there are others. */
  private static final Duration PATIENCE_BESIDE = Duration.ofMillis(5);

  private Stores() {}

  /** A store for the layout's lifecycle. */
  public static OutboxStore open(DataSource dataSource, Layout layout, UUID worker) {
    return open(dataSource, layout, worker, System::nanoTime);
  }

  /**
   * A store for the layout's lifecycle.
   *
   * @param nanoTime what it goes by to decide when to look where
   */
  public static OutboxStore open(
      DataSource dataSource, Layout layout, UUID worker, LongSupplier nanoTime) {
    Database database = new Database(dataSource, layout);
    if (layout.lifecycle() instanceof Claimed claimed) {
      return new ClaimedStore(
          database, new ClaimedSql(layout, claimed), worker, PATIENCE, nanoTime);
    }
    if (layout.lifecycle() instanceof Log log) {
      return log(dataSource, layout, log, worker, null, nanoTime);
    }
    return layout.lifecycle() instanceof Held
        ? new HeldStore(database, nanoTime)
        : new LeasedStore(database, worker, nanoTime);
  }

  /** A store for a log whose place is kept elsewhere. */
  public static PlacedLog open(DataSource dataSource, Layout layout, UUID worker, Places places) {
    return open(dataSource, layout, worker, places, System::nanoTime);
  }

  /**
   * A store for a log.
   *
   * @param places where its place is kept; null for the table alone
   * @param nanoTime the running clock by which it renews, rests and looks again
   */
  public static PlacedLog open(
      DataSource dataSource,
      Layout layout,
      UUID worker,
      @Nullable Places places,
      LongSupplier nanoTime) {
    if (!(layout.lifecycle() instanceof Log log)) {
      throw new IllegalArgumentException("the " + layout.name() + " layout has no place");
    }
    return log(dataSource, layout, log, worker, places, nanoTime);
  }

  private static LogStore log(
      DataSource dataSource,
      Layout layout,
      Log lifecycle,
      UUID worker,
      @Nullable Places places,
      LongSupplier nanoTime) {
    Layout beside = layout.diverted().orElseThrow();
    ClaimedStore diverted =
        new ClaimedStore(
            new Database(dataSource, beside),
            new ClaimedSql(beside, (Claimed) beside.lifecycle(), lifecycle.cursor()),
            worker,
            PATIENCE_BESIDE,
            nanoTime);
    return new LogStore(
        new Database(dataSource, layout), lifecycle, diverted, worker, places, nanoTime);
  }

  /** An outbox for the layout's lifecycle. */
  public static Outbox outbox(Layout layout, WritingRules rules) {
    Optional<TableName> keys = layout.dedupeKeys();
    JdbcOutbox outbox = new JdbcOutbox(layout, keys, rules);
    return layout
        .diverted()
        .<Outbox>map(diverted -> new LogOutbox(outbox, new JdbcOutbox(diverted, keys, rules)))
        .orElse(outbox);
  }

  /** An admin for the layout's lifecycle. */
  public static OutboxAdmin admin(DataSource dataSource, Layout layout) {
    JdbcAdmin admin = new JdbcAdmin(new Database(dataSource, layout.diverted().orElse(layout)));
    return layout.lifecycle() instanceof Log log
        ? new LogAdmin(new Database(dataSource, layout), log, admin)
        : admin;
  }

  /** The condition that narrows a claim, with a parameter for each part that is set. */
  static String scope(ClaimRequest request) {
    return (request.namespace() == null ? "" : " AND {namespace} = ?")
        + (request.tenant() == null ? "" : " AND {tenant} = CAST(? AS uuid)");
  }

  /**
   * A condition that no index is used for. Rows that are looked up by their ids are to be found by
   * these alone: with statistics of quiet times, Postgres takes an index of pending rows for the
   * shorter way, and walks over all of a backlog.
   */
  static String unindexed(String condition) {
    return "CASE WHEN " + condition + " THEN true ELSE false END";
  }

  /** Refuses a claim that found itself {@linkplain #IS_LOCKED without the lock}. */
  static void requireLocked(boolean isLocked, Layout layout) {
    if (!isLocked) {
      throw new PostcommitException(
          "could not claim events of %s: its lock was gone before they were picked, so nothing was claimed; give the relay a driver or pooler that leaves BEGIN and COMMIT as they are"
              .formatted(layout.table()));
    }
  }

  /** For how long nothing may be given up, read from a column of milliseconds. */
  static Duration undecided(ResultSet row, int column) throws SQLException {
    return Duration.ofMillis(Math.max(row.getLong(column), 0));
  }

  /** An error cut to a bounded length, without characters Postgres cannot store. */
  static String bounded(String error) {
    String text = error.replace('\0', ' ');
    return text.length() <= MAX_ERROR_LENGTH ? text : text.substring(0, MAX_ERROR_LENGTH - 1) + "…";
  }
}
