package dev.postcommit.internal.store.log;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.EventReader;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.Fences.Bound;
import dev.postcommit.internal.store.log.LogSurplus.Place;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.OneTransaction;
import java.sql.PreparedStatement;
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
 * <p>What is read next is a <i>window</i>: the rows that a present snapshot sees and the one before
 * did not, in the order of their numbers. If one transaction committed before another wrote its
 * row, every snapshot that sees the second sees the first, and the first has the lower number; so
 * within and across windows no event comes before one that it may depend on. A transaction that
 * stays open delays its own rows and no others: they are in the window of the snapshot that sees it
 * complete.
 *
 * <p>The rows of a window are above the {@linkplain Fences floor} of the snapshot before, but for
 * those of transactions that were open for long, which are looked up by their ids. Not safe for use
 * by many threads.
 */
final class LogReader {

  /**
   * A row that was read.
   *
   * @param before where the cursor stands if everything before this row is delivered, and it is not
   */
  record Row(StoredEvent event, long seq, LogCursor before) {}

  /**
   * What was read at once, without what earlier leaders gave up.
   *
   * @param waitingKeys those of the keys asked for, and of the keys of its rows, of which events
   *     are diverted and wait for their delivery
   * @param hasWaiting whether events of any key are diverted and wait
   * @param hasDueDiverted whether a diverted event is due that has no time of its own
   * @param hasTimedDiverted whether the time of a diverted event has come
   * @param upto the snapshot of the window
   * @param position the number up to which the window was read, 0 if it is empty
   * @param isLast whether nothing more is in the window
   * @param hasLarge whether it ends before a row whose payload was withheld
   * @param leavesOut whether rows are left out that are dead beside the log
   */
  record Page(
      List<Row> rows,
      Set<String> waitingKeys,
      boolean hasWaiting,
      boolean hasDueDiverted,
      boolean hasTimedDiverted,
      Snapshot upto,
      long position,
      boolean isLast,
      boolean hasLarge,
      boolean leavesOut) {}

  /** The database was restarted or replaced: what was learnt of its transactions may be wrong. */
  static final class RestartedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RestartedException() {
      super("the database was restarted", null, false, false);
    }
  }

  private static final long[] NONE = {};

  private final Database database;
  private final LogSql sql;
  private final Fences fences;
  private long epoch;
  private long base;
  private long reached;
  private LogCursor cursor = LogCursor.at(0, Snapshot.of("1:1:"));
  private long[] old = NONE;
  private boolean measures;

  /** All rows that this sees were read; null if none were since the reader began. */
  private @Nullable Snapshot read;

  private final LogPassed passed = new LogPassed();

  /** What is known of the snapshot of the window that is being read, from when it was taken. */
  private Bound next = new Bound(0, NONE);

  LogReader(Database database, LogSql sql, Fences fences) {
    this.database = database;
    this.sql = sql;
    this.fences = fences;
  }

  /** Begins where a cursor stands: that of the table, or one further on. */
  void begin(LogLease.Lead lead, LogCursor from) {
    epoch = lead.epoch();
    base = lead.base();
    reached = lead.reached();
    cursor = from;
    read = null;
    // What the owner before knew of them is not written down, so they are all looked up.
    old = cursor.seen().running();
    @Nullable Snapshot upto = cursor.upto();
    if (upto != null) {
      next = fences.bound(upto, cursor.floor());
    }
  }

  /** How far the pages go that were accepted. */
  LogCursor cursor() {
    return cursor;
  }

  /** The snapshot of the last window that was read to its end; null if there is none. */
  @Nullable Snapshot lastRead() {
    return read;
  }

  /** What was left out of the windows that were read. */
  LogPassed passed() {
    return passed;
  }

  /**
   * Reads the next page; the one after it follows when it is {@linkplain #accept accepted}.
   *
   * @param keys of which it is to be told whether they wait
   * @throws RestartedException if it has to begin anew
   */
  Page read(int limit, long bytes, Set<String> keys) {
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
          try (PreparedStatement statement =
              connection.prepareStatement(sql.read(hasOld, isMeasured))) {
            Parameters to = new Parameters(statement);
            @Nullable Snapshot upto = cursor.upto();
            to.addText(upto == null ? null : upto.text());
            to.add(keys.toArray(String[]::new));
            to.add(reached);
            if (!isMeasured) {
              to.add(bytes / limit);
            }
            bind(to, hasOld, limit);
            if (isMeasured) {
              to.add(bytes);
            }
            OneTransaction.execute(statement);
            return page(statement, limit, isMeasured);
          }
        });
  }

  private void bind(Parameters to, boolean hasOld, int limit) throws SQLException {
    if (hasOld) {
      to.add(Arrays.stream(old).mapToObj(Long::toString).toArray(String[]::new));
      to.add(Math.max(base, cursor.position())).add(cursor.floor()).add(limit);
    }
    to.add(Math.max(cursor.floor(), cursor.position())).add(cursor.seen().text()).add(limit);
    if (hasOld) {
      to.add(limit);
    }
  }

  private Page page(PreparedStatement statement, int limit, boolean isMeasured)
      throws SQLException {
    Snapshot upto;
    Set<String> waitingKeys;
    boolean hasWaiting;
    boolean hasDueDiverted;
    boolean hasTimedDiverted;
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      if (row.getLong(2) != epoch) {
        throw new RestartedException();
      }
      upto = Snapshot.of(row.getString(1));
      waitingKeys = new HashSet<>(Set.of((String[]) row.getArray(3).getArray()));
      hasDueDiverted = row.getBoolean(4);
      hasWaiting = row.getBoolean(10);
      hasTimedDiverted = row.getBoolean(11);
    }
    statement.getMoreResults();
    List<Row> rows = new ArrayList<>();
    long position = cursor.position();
    int read = 0;
    int dead = 0;
    boolean hasLarge = false;
    try (ResultSet row = statement.getResultSet()) {
      while (row.next()) {
        hasLarge = !isMeasured && row.getBoolean(EventReader.width() + 4);
        if (hasLarge) {
          break;
        }
        LogCursor before =
            position == 0 ? cursor : new LogCursor(cursor.floor(), cursor.seen(), upto, position);
        position = row.getLong(EventReader.width() + 1);
        read = isMeasured ? row.getInt(EventReader.width() + 4) : read + 1;
        if (row.getBoolean(EventReader.width() + 3)) {
          dead++;
          continue;
        }
        StoredEvent event = database.reader().read(row, 1);
        rows.add(new Row(event, position, before));
        @Nullable String key = event.key();
        if (key != null && row.getBoolean(EventReader.width() + 2)) {
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

  /** The first rows of these places, up to a size; those that are gone are null. */
  List<@Nullable Row> readAgain(List<Place> places, long bytes) {
    return database.run(
        "read",
        connection -> {
          List<@Nullable Row> found = new ArrayList<>();
          try (PreparedStatement statement = connection.prepareStatement(sql.readAgain)) {
            new Parameters(statement).add(places.stream().map(Place::seq).toList()).add(bytes);
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                Place place = places.get(found.size());
                boolean isGone = row.getBoolean(EventReader.width() + 1);
                found.add(
                    isGone
                        ? null
                        : new Row(database.reader().read(row, 1), place.seq(), place.before()));
              }
            }
          }
          return found;
        });
  }

  /** Goes on behind a page, whose rows are taken care of. */
  void accept(Page page) {
    if (cursor.upto() == null) {
      next = fences.bound(page.upto(), cursor.floor());
    }
    if (page.isLast()) {
      read = page.upto();
      passed.add(cursor.seen().xmax(), cursor.floor());
    }
    if (page.position() == 0 && next.floor() - cursor.floor() <= Fences.OVERLAP) {
      // Nothing new, and going on would spare the next look little.
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
