package dev.postcommit.internal.store;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.check.Privilege;
import dev.postcommit.internal.check.Privileges;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.layout.Layout;
import dev.postcommit.support.OneTransaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Reads how far the primary has written its log, and how far named physical standbys have it on
 * disk.
 *
 * <p>Everything that streams the log is listed in {@code pg_stat_replication}, under any name that
 * it likes. A logical sender is connected to a database, which a physical one is not. {@code
 * pg_receivewal} and the log streamed for a base backup never tell what they have replayed, which a
 * standby always does; the base backup itself tells nothing. Of two standbys with one name, the one
 * that is behind counts.
 */
public final class StandbyPositions {

  /**
   * What was read.
   *
   * @param run tells one run of the database server from any other
   * @param written all records of transactions that have ended are before this position
   * @param flushed the position up to which the primary itself has its log on disk
   * @param standbys the position up to which each standby that is connected has it on disk, by name
   */
  public record Positions(long run, long written, long flushed, Map<String, Long> standbys) {

    /** The position that so many standbys have on disk; -1 if fewer are connected. */
    public long of(int count) {
      return standbys.size() < count
          ? -1
          : standbys.values().stream()
              .sorted()
              .skip(standbys.size() - (long) count)
              .findFirst()
              .get();
    }
  }

  private static final String READ =
      """
      SELECT p.run, p.may_see, current_user AS reader,
        CAST(p.written - CAST('0/0' AS pg_lsn) AS bigint) AS written,
        CAST(p.flushed - CAST('0/0' AS pg_lsn) AS bigint) AS flushed,
        CAST(current_setting('wal_block_size') AS bigint) AS page,
        pg_size_bytes(current_setting('wal_segment_size')) AS segment,
        s.name, CAST(s.flushed - CAST('0/0' AS pg_lsn) AS bigint) AS standby_flushed
      FROM (
          SELECT {epoch} AS run, pg_has_role('pg_read_all_stats', 'USAGE') AS may_see,
            pg_current_wal_insert_lsn() AS written, pg_current_wal_flush_lsn() AS flushed
          OFFSET 0) p
        LEFT JOIN (
          SELECT lower(r.application_name) AS name, min(r.flush_lsn) AS flushed
          FROM pg_stat_replication r JOIN pg_stat_activity a ON a.pid = r.pid
          WHERE a.datid IS NULL AND r.replay_lsn IS NOT NULL AND r.flush_lsn IS NOT NULL
            AND lower(r.application_name) = ANY (CAST(:names AS text[]))
          GROUP BY lower(r.application_name)) s ON true""";

  /** Locks a row, which is a record in the log, and so makes the commit wait for the disk. */
  private static final String FLUSH =
      OneTransaction.of(
          "SELECT set_config('synchronous_commit', 'local', true)",
          "SELECT 1 FROM {relays} WHERE id = :relay FOR NO KEY UPDATE SKIP LOCKED");

  private static final String WRONG_STATEMENT_CLASS = "42";

  private static final int SHORT_HEADER = 24;
  private static final int LONG_HEADER = 40;

  private final Database database;
  private final String[] names;
  private final UUID relay;
  private final NamedSql read;
  private final NamedSql flush;
  private volatile boolean flushes = true;

  /** No I/O yet. */
  public StandbyPositions(DataSource dataSource, Layout layout, UUID relay, Set<String> names) {
    this.database = new Database(dataSource, layout);
    this.names = names.toArray(String[]::new);
    this.relay = relay;
    SqlTemplate template = new SqlTemplate(layout);
    this.read = template.statement(READ);
    this.flush = template.statement(FLUSH);
  }

  /**
   * Reads all positions.
   *
   * @throws PostcommitException if the database cannot be asked, is itself a standby, or does not
   *     let the user see standbys
   */
  public Positions read() {
    return database.run(
        "see the standbys of the database of",
        read,
        to -> {
          try (ResultSet rows = to.set("names", names).query()) {
            return read(rows);
          }
        });
  }

  private static Positions read(ResultSet row) throws SQLException {
    row.next();
    if (!row.getBoolean("may_see")) {
      throw new PostcommitException(
          Privilege.lackingRole(Privileges.STATISTICS, row.getString("reader")));
    }
    long run = row.getLong("run");
    long written =
        endOfLastRecord(row.getLong("written"), row.getLong("page"), row.getLong("segment"));
    long flushed = row.getLong("flushed");
    Map<String, Long> standbys = new HashMap<>();
    do {
      String name = row.getString("name");
      if (name != null) {
        standbys.put(name, row.getLong("standby_flushed"));
      }
    } while (row.next());
    return new Positions(run, written, flushed, standbys);
  }

  /**
   * Where the last record ends if the next one begins at a position. Where a page is full, the next
   * record begins behind the header of the next page, which is not written before that record is,
   * and so no standby would get that far.
   */
  static long endOfLastRecord(long position, long page, long segment) {
    int header = position % segment < page ? LONG_HEADER : SHORT_HEADER;
    return position % page == header ? position - header : position;
  }

  /**
   * Makes the primary write its log to disk, which standbys get no sooner. Without that it may take
   * some tenths of a second if nobody waits for a commit, as the relay itself does not. If the
   * relay has no row in the table of relays, nothing happens.
   */
  public void flush() {
    if (!flushes) {
      return;
    }
    database.run(
        "flush the log of the database of",
        flush,
        to -> {
          try {
            to.set("relay", relay).update();
          } catch (SQLException e) {
            if (!String.valueOf(e.getSQLState()).startsWith(WRONG_STATEMENT_CLASS)) {
              throw e;
            }
            // There is no such table, or no right to it.
            flushes = false;
          }
          return true;
        });
  }
}
