package dev.postcommit.internal.store.log;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.Fences.Bound;
import dev.postcommit.store.StoredEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log page by page, ahead of its cursor.
 *
 * <p>It reads one <i>window</i> after the other: the rows that the current snapshot sees and the
 * one before did not, in the order of their numbers. If one transaction committed before another
 * wrote its row, every snapshot that sees the second also sees the first, and the first has the
 * lower number. So within and across windows no event comes before one that it may depend on. An
 * open transaction delays its own rows and no others: they are in the window of the first snapshot
 * that sees it complete.
 *
 * <p>The rows of a window are above the {@linkplain Fences floor} of the snapshot before, except
 * those of long transactions, which are found by their ids. For use by one thread at a time.
 */
final class LogReader {

  /**
   * The result of one statement, without rows that earlier leaseholders gave up.
   *
   * @param waitingKeys the keys with diverted events that wait, out of those asked about and those
   *     of its rows
   * @param hasWaiting whether diverted events of any key wait
   * @param hasDueDiverted whether a diverted event without a due time is due
   * @param hasTimedDiverted whether the due time of a diverted event has come
   * @param upto the snapshot of the window
   * @param position the number up to which the window was read; 0 if it is empty
   * @param isLast whether the window ends here
   * @param hasLarge whether it ends before a row whose payload was withheld
   * @param leavesOut whether it omits rows that are dead beside the log
   */
  record Page(
      List<LogEntry> rows,
      Set<String> waitingKeys,
      boolean hasWaiting,
      boolean hasDueDiverted,
      boolean hasTimedDiverted,
      Snapshot upto,
      long position,
      boolean isLast,
      boolean hasLarge,
      boolean leavesOut) {}

  /** The database was restarted or replaced, so what is known of transactions may be wrong. */
  static final class RestartedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RestartedException() {
      super("the database was restarted", null, false, false);
    }
  }

  private static final long[] NONE = {};

  /** The part of the statement that takes the snapshot; the rows are those of the next part. */
  private static final int POLL = 1;

  private final Database database;
  private final LogSql sql;
  private final Fences fences;
  private long epoch;
  private long base;
  private long reached;
  private LogCursor cursor = LogCursor.at(0, Snapshot.of("1:1:"));
  private long[] old = NONE;
  private boolean measures;
  private long pages;

  /** All rows that this sees were read; null if none were since {@link #begin}. */
  private @Nullable Snapshot read;

  private final LogPassed passed = new LogPassed();

  /** What was known of the snapshot of the current window when it was taken. */
  private Bound next = new Bound(0, NONE);

  LogReader(Database database, LogSql sql, Fences fences) {
    this.database = database;
    this.sql = sql;
    this.fences = fences;
  }

  /** Begins at a cursor: that of the table, or one further on. */
  void begin(LogLease.Grant grant, LogCursor from) {
    epoch = grant.epoch();
    base = grant.base();
    reached = grant.reached();
    passed.begin(grant.checked(), grant.checkedFloor(), from);
    cursor = from;
    read = null;
    // What the previous leaseholder knew of them is not stored, so all are looked up.
    old = cursor.seen().running();
    @Nullable Snapshot upto = cursor.upto();
    if (upto != null) {
      next = fences.bound(upto, cursor.floor());
    }
  }

  /** How far the accepted pages go. */
  LogCursor cursor() {
    return cursor;
  }

  /** The snapshot of the last window that was read completely; null if there is none. */
  @Nullable Snapshot lastRead() {
    return read;
  }

  /** The numbers that were left out of the windows read so far. */
  LogPassed passed() {
    return passed;
  }

  /**
   * Reads the next page. The one after it can be read once this is {@linkplain #accept accepted}.
   *
   * @param keys the keys to report on, if they wait
   * @throws RestartedException if reading has to begin anew
   */
  Page read(int limit, long bytes, Set<String> keys) {
    pages++;
    Page page = read(limit, bytes, keys, measures);
    if (page.rows().isEmpty() && page.hasLarge()) {
      page = read(limit, bytes, keys, true);
    }
    long share = bytes / limit;
    measures = page.rows().stream().anyMatch(row -> row.event().payload().length > share);
    return page;
  }

  private Page read(int limit, long bytes, Set<String> keys, boolean isMeasured) {
    return database.run(
        "read",
        connection -> {
          boolean hasOld = old.length > 0 && cursor.position() < cursor.floor();
          try (NamedStatement statement = sql.read(hasOld, isMeasured).prepare(connection)) {
            @Nullable Snapshot upto = cursor.upto();
            statement
                .set("upto", upto == null ? null : upto.text())
                .setTexts("keys", keys)
                .set("reached", reached)
                .set("above", Math.max(cursor.floor(), cursor.position()))
                .set("seen", cursor.seen().text())
                .set("limit", limit);
            if (isMeasured) {
              statement.set("bytes", bytes);
            } else {
              statement.set("share", bytes / limit);
            }
            if (hasOld) {
              statement
                  .setTexts("old", Arrays.stream(old).mapToObj(Long::toString).toList())
                  .set("old_above", Math.max(base, cursor.position()))
                  .set("floor", cursor.floor());
            }
            return page(statement, limit, isMeasured);
          }
        });
  }

  private Page page(NamedStatement statement, int limit, boolean isMeasured) throws SQLException {
    Snapshot upto;
    Set<String> waitingKeys;
    boolean hasWaiting;
    boolean hasDueDiverted;
    boolean hasTimedDiverted;
    try (ResultSet row = statement.query(POLL)) {
      row.next();
      if (row.getLong("epoch") != epoch) {
        throw new RestartedException();
      }
      upto = Snapshot.of(row.getString("upto"));
      waitingKeys = new HashSet<>(Set.of((String[]) row.getArray("waiting_keys").getArray()));
      hasDueDiverted = row.getBoolean("has_due");
      hasWaiting = row.getBoolean("has_waiting");
      hasTimedDiverted = row.getBoolean("has_timed");
    }
    List<LogEntry> rows = new ArrayList<>();
    long position = cursor.position();
    int read = 0;
    int dead = 0;
    boolean hasLarge = false;
    try (ResultSet row = statement.nextPart()) {
      int number = row.findColumn("number");
      int waits = row.findColumn("waits");
      int isDead = row.findColumn("is_dead");
      int size = row.findColumn(isMeasured ? "rows_read" : "is_large");
      while (row.next()) {
        hasLarge = !isMeasured && row.getBoolean(size);
        if (hasLarge) {
          break;
        }
        LogCursor before =
            position == 0 ? cursor : new LogCursor(cursor.floor(), cursor.seen(), upto, position);
        position = row.getLong(number);
        read = isMeasured ? row.getInt(size) : read + 1;
        if (row.getBoolean(isDead)) {
          dead++;
          continue;
        }
        StoredEvent event = database.reader().read(row, 1);
        rows.add(new LogEntry(event, pages, position, before));
        @Nullable String key = event.key();
        if (key != null && row.getBoolean(waits)) {
          waitingKeys.add(key);
        }
      }
    }
    boolean isLast = !hasLarge && rows.size() + dead == read && read < limit;
    return new Page(
        rows,
        waitingKeys,
        hasWaiting,
        hasDueDiverted,
        hasTimedDiverted,
        upto,
        position,
        isLast,
        hasLarge,
        dead > 0);
  }

  /** Continues after a page. */
  void accept(Page page) {
    if (cursor.upto() == null) {
      next = fences.bound(page.upto(), cursor.floor());
    }
    if (page.isLast()) {
      read = page.upto();
      passed.add(cursor.seen().xmax(), cursor.floor());
    }
    if (page.position() == 0 && next.floor() - cursor.floor() <= Fences.OVERLAP) {
      // Nothing new, and a higher floor would save the next read little.
      return;
    }
    if (page.isLast()) {
      old = next.old();
      cursor = LogCursor.at(next.floor(), page.upto());
    } else {
      cursor = new LogCursor(cursor.floor(), cursor.seen(), page.upto(), page.position());
    }
  }
}
