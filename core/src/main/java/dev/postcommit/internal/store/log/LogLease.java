package dev.postcommit.internal.store.log;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Database.StatementWork;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.internal.store.log.LogClaim.Diversion;
import dev.postcommit.internal.store.log.LogRepair.Missed;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.LeaseLostException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lease on a log's cursor: its holder reads the log, and nobody else moves the cursor.
 *
 * <p>It lasts by the database's clock. Each new holder gets a higher fencing number, and every
 * statement changes something only with the current one. In this process it ends by the running
 * clock, counted from before the statement that renewed it, so never later than in the database.
 *
 * <p>Safe for use by many threads. Its lock is held during a statement, so one runs at a time.
 */
final class LogLease {
  /**
   * What a new holder finds.
   *
   * @param mark the {@linkplain LogCheckpoint#mark mark} in the cursor's row
   * @param reached no earlier holder has read rows of higher numbers
   * @param checked all rows that this sees were found; of other transactions, rows above {@code
   *     checkedFloor} are
   */
  record Grant(
      long base,
      LogCursor cursor,
      long epoch,
      @Nullable String mark,
      long reached,
      Snapshot checked,
      long checkedFloor) {}

  private final Database database;
  private final TableName table;
  private final LogSql sql;
  private final LogRepair repair;
  private final UUID worker;
  private final Fences fences;
  private final LongSupplier nanoTime;
  private boolean held;
  private long fence;
  private long epoch;
  private long base;
  private String location = "";
  private @Nullable LogCursor cursor;
  private Snapshot checked = Snapshot.of("1:1:");
  private long checkedFloor;
  private volatile Duration length = Duration.ZERO;
  private volatile long leasedAt;
  private volatile long leaseNanos;
  private volatile long undecidedUntil;

  LogLease(
      Database database,
      LogSql sql,
      LogRepair repair,
      UUID worker,
      Fences fences,
      LongSupplier nanoTime) {
    this.database = database;
    this.table = database.layout().table();
    this.sql = sql;
    this.repair = repair;
    this.worker = worker;
    this.fences = fences;
    this.nanoTime = nanoTime;
    this.undecidedUntil = nanoTime.getAsLong();
  }

  /** Sets how long the lease lasts from the next statement on. */
  void length(Duration wanted) {
    length = wanted;
  }

  /** Whether it is held, by the clock of this process. */
  synchronized boolean isHeld() {
    return held && age() < leaseNanos;
  }

  /** Whether a third of it is over. */
  boolean wantsRenewal() {
    return age() > leaseNanos / 3;
  }

  /** When it began or was last renewed. */
  long leasedAt() {
    return leasedAt;
  }

  /** For how long messages that an earlier holder sent may still arrive. */
  Duration undecided() {
    return Duration.ofNanos(Math.max(undecidedUntil - nanoTime.getAsLong(), 0));
  }

  private long age() {
    return nanoTime.getAsLong() - leasedAt;
  }

  /** The cursor as it was last written or found; null if it never was. */
  synchronized @Nullable LogCursor cursor() {
    return cursor;
  }

  /**
   * Takes the lease if it is free.
   *
   * @throws PostcommitException if the log cannot be read, with what to do
   */
  synchronized Optional<Grant> take() {
    held = false;
    return database.run(
        "take the lease on",
        connection -> {
          long startedAt = nanoTime.getAsLong();
          return sql.take.run(
              connection,
              to ->
                  to.set("owner", worker)
                      .set("millis", length.toMillis())
                      .optionalRow(row -> granted(connection, row, startedAt)));
        });
  }

  private Grant granted(Connection connection, ResultSet row, long startedAt) throws SQLException {
    fence = row.getLong("fence");
    epoch = row.getLong("epoch");
    boolean isHome = row.getBoolean("is_home");
    boolean isIntact = row.getBoolean("is_intact");
    repair.noteHome(isHome, row.getString("system"));
    undecidedUntil = nanoTime.getAsLong() + Takeovers.undecided(row, "undecided_millis").toNanos();
    fences.begin(row.getLong("xid"), row.getLong("number"));
    written(row, startedAt);
    held = true;
    @Nullable String upto = row.getString("upto");
    LogCursor found =
        new LogCursor(
            row.getLong("floor"),
            Snapshot.of(row.getString("seen")),
            upto == null ? null : Snapshot.of(upto),
            row.getLong("position"));
    Grant grant =
        new Grant(
            row.getLong("base"),
            found,
            epoch,
            row.getString("mark"),
            row.getLong("reached"),
            Snapshot.of(row.getString("checked")),
            row.getLong("checked_floor"));
    grant = corrected(connection, grant, isHome, isIntact);
    base = grant.base();
    cursor = grant.cursor();
    checked = grant.checked();
    checkedFloor = grant.checkedFloor();
    return grant;
  }

  /** The grant, once nothing keeps the log from being read. */
  private Grant corrected(Connection connection, Grant found, boolean isHome, boolean isIntact)
      throws SQLException {
    Grant grant = found;
    refuse(connection, repair.problems(connection));
    if (!isHome || !isIntact) {
      grant = correct(connection, found, isHome);
      // What was found in order before may not have been when it was recorded.
      refuse(connection, repair.problems(connection));
    }
    refuse(connection, repair.ahead(connection, grant.base()));
    return grant;
  }

  private Grant correct(Connection connection, Grant found, boolean isHome) throws SQLException {
    NamedSql correction = isHome ? repair.renumber : repair.adopt;
    long startedAt = nanoTime.getAsLong();
    return correction
        .run(
            connection,
            to ->
                owned(to)
                    .set("millis", length.toMillis())
                    .optionalRow(
                        row -> {
                          fences.begin(row.getLong("xid"), row.getLong("number"));
                          written(row, startedAt);
                          return isHome
                              ? repair.renumbered(found, row)
                              : repair.adopted(found, row);
                        }))
        .orElseThrow(this::lost);
  }

  private void refuse(Connection connection, List<String> problems) throws SQLException {
    if (!problems.isEmpty()) {
      held = false;
      release(connection);
      throw repair.refusal(problems);
    }
  }

  /**
   * Looks for rows that a reader left out, of transactions that {@code read} sees. If there are
   * any, the lease is lost, and they are read under the next one.
   *
   * @throws PostcommitException if there are rows of another cluster
   */
  synchronized void check(LogPassed passed, Snapshot read) {
    requireHeld();
    if (read.equals(checked) || read.xmax() < checked.xmax()) {
      // An earlier holder that had read ahead of the cursor has checked this far. Its floor holds
      // for the ids that its own snapshot does not see, not for all that this one does not see.
      return;
    }
    database.run(
        "look for rows below the floor of",
        connection -> {
          refuse(connection, repair.ahead(connection, base));
          Missed missed = repair.missed(connection, passed.ranges(), read, base);
          if (missed.rows() > 0) {
            repair.stepBack(connection, missed, checked, this::owned);
            throw lost();
          }
          return true;
        });
    passed.checked(read);
    checked = read;
    checkedFloor = passed.floor();
  }

  /** Renews the lease, and leaves the cursor where it is. */
  synchronized void renew(Duration wanted) {
    requireHeld();
    if (cursor != null) {
      renew(cursor, null, wanted);
    }
  }

  void renew(LogCursor to, @Nullable String mark, Duration wanted) {
    length(wanted);
    move(to, mark);
  }

  /** Moves and marks the cursor, and renews the lease. */
  void move(LogCursor to, @Nullable String mark) {
    move(to, mark, sql.moveAtLocation, sql.move);
  }

  /** Moves and marks the cursor, renews the lease, and waits for the disk. */
  void moveDurably(LogCursor to, String mark) {
    move(to, mark, sql.moveAtLocationDurably, sql.moveDurably);
  }

  private synchronized void move(
      LogCursor to, @Nullable String mark, NamedSql atLocation, NamedSql anywhere) {
    StatementWork<NamedStatement> values =
        statement ->
            statement
                .set("floor", to.floor())
                .set("seen", to.seen().text())
                .set("upto", to.upto() == null ? null : to.upto().text())
                .set("position", to.position())
                .set("mark", mark)
                .set("checked", checked.text())
                .set("checked_floor", checkedFloor)
                .set("known", Math.max(to.floor(), fences.newest()));
    write(
        "move the cursor of",
        connection ->
            write(connection, atLocation, it -> values.on(it).set("location", location))
                || write(connection, anywhere, values));
    cursor = to;
  }

  /** Copies rows to the native table, and renews the lease. */
  synchronized void divert(List<Diversion> diversions) {
    write(
        "divert events of",
        connection ->
            write(
                connection,
                sql.divert,
                to ->
                    to.setNumbers("seqs", diversions.stream().map(Diversion::seq).toList())
                        .set(
                            "statuses",
                            diversions.stream().map(Diversion::status).toArray(String[]::new))
                        .setNumbers(
                            "attempts", diversions.stream().map(Diversion::attempts).toList())
                        .set(
                            "delays",
                            diversions.stream().map(Diversion::delay).toArray(Long[]::new))
                        .set(
                            "errors",
                            diversions.stream().map(Diversion::error).toArray(String[]::new))));
  }

  private void write(String what, Database.Work<Boolean> work) {
    requireHeld();
    if (!database.run(what, work)) {
      throw lost();
    }
  }

  /** Runs a statement that writes the cursor's row; returns whether the lease is still held. */
  private boolean write(Connection connection, NamedSql text, StatementWork<?> values)
      throws SQLException {
    long startedAt = nanoTime.getAsLong();
    int written =
        text.run(
            connection,
            to -> {
              values.on(owned(to).set("millis", length.toMillis()));
              return to.forEach(
                  row -> {
                    fences.add(row.getLong("xid"), row.getLong("number"));
                    written(row, startedAt);
                  });
            });
    return written > 0;
  }

  private NamedStatement owned(NamedStatement statement) throws SQLException {
    return statement.set("owner", worker).set("fence", fence).set("epoch", epoch);
  }

  private void written(ResultSet row, long startedAt) throws SQLException {
    location = row.getString("location");
    leasedAt = startedAt;
    leaseNanos = length.toNanos();
  }

  /** Gives the lease up, so that others need not wait for its end. */
  synchronized void release() {
    if (held) {
      held = false;
      database.run("give up the lease on", this::release);
    }
  }

  private int release(Connection connection) throws SQLException {
    return sql.release.run(connection, to -> to.set("owner", worker).set("fence", fence).update());
  }

  /** Stops counting on the lease. */
  synchronized void lose() {
    held = false;
  }

  private void requireHeld() {
    if (!held) {
      throw lost();
    }
  }

  private LeaseLostException lost() {
    held = false;
    return new LeaseLostException(table.toString(), "the cursor");
  }
}
