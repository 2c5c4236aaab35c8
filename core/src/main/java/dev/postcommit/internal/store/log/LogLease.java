package dev.postcommit.internal.store.log;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.internal.store.log.LogAgenda.Diversion;
import dev.postcommit.internal.store.log.LogRepair.Missed;
import dev.postcommit.store.LeaseLostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease on a log's cursor: who has it reads the log, and nobody else moves the cursor.
 *
 * <p>It lasts by the database's clock, and each new owner gets a higher fencing number, without
 * which no statement changes anything. Here it ends by this process's own running clock, counted
 * from before it was asked for, so never later than the database thinks.
 */
final class LogLease {
  private static final Logger log = LoggerFactory.getLogger(LogLease.class);

  /**
   * The cursor as a new owner finds it, and its {@linkplain LogCheckpoint#mark mark}.
   *
   * @param reached rows of higher numbers were read by no owner before
   */
  record Lead(long base, LogCursor cursor, long epoch, @Nullable String mark, long reached) {}

  private final Database database;
  private final LogSql sql;
  private final LogRepair repair;
  private final UUID worker;
  private final Fences fences;
  private final LongSupplier nanoTime;
  private boolean held;
  private long fence;
  private long epoch;
  private String place = "";
  private volatile long leasedAt;
  private volatile long leaseNanos;
  private volatile long undecidedUntil;
  private boolean isElsewhere;

  /** All rows of what this sees were found; of other transactions, those above the floor are. */
  private Snapshot checked = Snapshot.of("1:1:");

  private long checkedFloor;
  private long base;

  LogLease(
      Database database,
      LogSql sql,
      LogRepair repair,
      UUID worker,
      Fences fences,
      LongSupplier nanoTime) {
    this.database = database;
    this.sql = sql;
    this.repair = repair;
    this.worker = worker;
    this.fences = fences;
    this.nanoTime = nanoTime;
    this.undecidedUntil = nanoTime.getAsLong();
  }

  /** Whether it is held, as far as can be told without asking the database. */
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

  /** For how long messages of an earlier owner may still arrive. */
  Duration undecided() {
    return Duration.ofNanos(Math.max(undecidedUntil - nanoTime.getAsLong(), 0));
  }

  private long age() {
    return nanoTime.getAsLong() - leasedAt;
  }

  /**
   * Takes the lease if nobody has it.
   *
   * @throws PostcommitException if nobody should have it, with what to do
   */
  synchronized Optional<Lead> take(Duration lease) {
    held = false;
    long startedAt = nanoTime.getAsLong();
    return database.run(
        "take the lead on",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql.lead)) {
            new Parameters(statement).add(worker).add(lease.toMillis()).add(worker);
            boolean atHome;
            boolean isIntact;
            Lead lead;
            try (ResultSet row = statement.executeQuery()) {
              if (!row.next()) {
                return Optional.empty();
              }
              fence = row.getLong(4);
              epoch = row.getLong(6);
              atHome = row.getBoolean(5);
              lead =
                  new Lead(
                      row.getLong(7), cursor(row, 8), epoch, row.getString(12), row.getLong(18));
              checked = Snapshot.of(row.getString(13));
              checkedFloor = row.getLong(14);
              isIntact = row.getBoolean(15);
              notice(atHome, row.getString(16));
              undecidedUntil = nanoTime.getAsLong() + Takeovers.undecided(row, 17).toNanos();
              fences.begin(row.getLong(2), row.getLong(3));
              written(row, startedAt, lease);
            }
            held = true;
            lead = checked(connection, lead, atHome, isIntact);
            base = lead.base();
            return Optional.of(lead);
          }
        });
  }

  private void notice(boolean atHome, String system) {
    if (!atHome && !isElsewhere) {
      log.info(
          "{} came from another cluster, {}: it is adopted once it is complete",
          database.layout().table(),
          system);
    }
    isElsewhere = !atHome;
  }

  /** The cursor from which to read, after a look at what is wrong, and after that was put right. */
  private Lead checked(Connection connection, Lead lead, boolean atHome, boolean isIntact)
      throws SQLException {
    Lead from = lead;
    refuse(connection, repair.problems(connection));
    if (!atHome) {
      from = adopted(connection.prepareStatement(sql.adopt), lead);
      isElsewhere = false;
    } else if (!isIntact) {
      from = renumbered(connection.prepareStatement(repair.renumber), lead);
    }
    if (!atHome || !isIntact) {
      // What was found in order before may not have been when it was recorded.
      refuse(connection, repair.problems(connection));
    }
    refuse(connection, repair.ahead(connection, from.base()));
    return from;
  }

  private void refuse(Connection connection, List<String> problems) throws SQLException {
    if (!problems.isEmpty()) {
      held = false;
      release(connection);
      throw repair.refusal(problems);
    }
  }

  /** The cursor after rows from another cluster were made rows of this one. */
  private Lead adopted(PreparedStatement adopt, Lead lead) throws SQLException {
    long startedAt = nanoTime.getAsLong();
    Duration lease = Duration.ofNanos(leaseNanos);
    try (adopt) {
      new Parameters(adopt).add(worker).add(fence).add(epoch).add(lease.toMillis());
      try (ResultSet row = adopt.executeQuery()) {
        if (!row.next()) {
          throw lost();
        }
        fences.begin(row.getLong(2), row.getLong(3));
        written(row, startedAt, lease);
        long floor = row.getLong(4);
        checked = Snapshot.of(row.getString(5));
        checkedFloor = floor;
        log.info(
            "adopted {}: {} rows above number {} were not delivered where it came from, and are now",
            database.layout().table(),
            row.getLong(6),
            floor);
        LogCursor cursor = LogCursor.at(floor, checked);
        return new Lead(floor, cursor, lead.epoch(), null, Long.MAX_VALUE);
      }
    }
  }

  /** The cursor after its floor was lowered to where the sequence gives out numbers now. */
  private Lead renumbered(PreparedStatement renumber, Lead lead) throws SQLException {
    long startedAt = nanoTime.getAsLong();
    Duration lease = Duration.ofNanos(leaseNanos);
    try (renumber) {
      new Parameters(renumber).add(worker).add(fence).add(epoch).add(lease.toMillis());
      try (ResultSet row = renumber.executeQuery()) {
        if (!row.next()) {
          throw lost();
        }
        fences.begin(row.getLong(2), row.getLong(3));
        written(row, startedAt, lease);
        checkedFloor = row.getLong(5);
        log.warn(
            "the sequence of {} was altered, restarted or set back: rows from number {} on are looked"
                + " at again, and what is not delivered is",
            database.layout().table(),
            checkedFloor + 1);
        LogCursor cursor = lead.cursor().withFloorUpTo(checkedFloor);
        return new Lead(row.getLong(4), cursor, lead.epoch(), lead.mark(), Long.MAX_VALUE);
      }
    }
  }

  /** Tells a reader that begins at a cursor where rows were last looked for. */
  synchronized void begin(LogPassed passed, LogCursor cursor) {
    passed.begin(checked, checkedFloor, cursor);
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
      // An earlier owner that had read ahead of the cursor has looked this far. Its floor holds for
      // the ids that its own snapshot does not see, not for all those that this one does not.
      return;
    }
    database.run(
        "look for rows below the floor of",
        connection -> {
          refuse(connection, repair.ahead(connection, base));
          Missed missed = repair.missed(connection, passed.ranges(), read, base);
          if (missed.rows() > 0) {
            stepBack(connection, missed);
            throw lost();
          }
          return true;
        });
    passed.checked(read);
    checked = read;
    checkedFloor = passed.floor();
  }

  private void stepBack(Connection connection, Missed missed) throws SQLException {
    log.warn(
        "{} rows of {}, from number {} on, have lower numbers than rows of earlier transactions: they"
            + " are delivered now, later than those",
        missed.rows(),
        database.layout().table(),
        missed.lowest());
    long below = missed.lowest() - 1;
    try (PreparedStatement statement = connection.prepareStatement(repair.stepBack)) {
      new Parameters(statement)
          .add(missed.ids().toArray(String[]::new))
          .add(below)
          .add(below)
          .add(checked.text())
          .add(worker)
          .add(fence)
          .add(epoch);
      statement.executeUpdate();
    }
  }

  private static LogCursor cursor(ResultSet row, int from) throws SQLException {
    @Nullable String upto = row.getString(from + 2);
    return new LogCursor(
        row.getLong(from),
        Snapshot.of(row.getString(from + 1)),
        upto == null ? null : Snapshot.of(upto),
        row.getLong(from + 3));
  }

  /** Moves and marks the cursor, and renews the lease. */
  void move(LogCursor to, @Nullable String mark, Duration lease) {
    move(to, mark, lease, sql.moveFromPlace, sql.move);
  }

  /** Moves and marks the cursor, renews the lease, and waits for the disk. */
  void moveDurably(LogCursor to, String mark, Duration lease) {
    move(to, mark, lease, sql.moveFromPlaceDurably, sql.moveDurably);
  }

  private synchronized void move(
      LogCursor to, @Nullable String mark, Duration lease, String fromPlace, String anyway) {
    requireHeld();
    long startedAt = nanoTime.getAsLong();
    boolean moved =
        database.run(
            "move the cursor of",
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(fromPlace)) {
                Parameters parameters = bind(statement, to, mark, lease).add(place);
                if (write(statement, parameters, startedAt, lease)) {
                  return true;
                }
              }
              try (PreparedStatement statement = connection.prepareStatement(anyway)) {
                return write(statement, bind(statement, to, mark, lease), startedAt, lease);
              }
            });
    if (!moved) {
      throw lost();
    }
  }

  private Parameters bind(
      PreparedStatement statement, LogCursor to, @Nullable String mark, Duration lease)
      throws SQLException {
    return new Parameters(statement)
        .add(to.floor())
        .add(to.seen().text())
        .addText(to.upto() == null ? null : to.upto().text())
        .add(to.position())
        .addText(mark)
        .add(lease.toMillis())
        .add(checked.text())
        .add(checkedFloor)
        .add(Math.max(to.floor(), fences.newest()));
  }

  private boolean write(
      PreparedStatement statement, Parameters parameters, long startedAt, Duration lease)
      throws SQLException {
    parameters.add(worker).add(fence).add(epoch);
    return write(statement, startedAt, lease);
  }

  /** Runs a statement that writes the cursor; returns whether the lease is still held. */
  private boolean write(PreparedStatement statement, long startedAt, Duration lease)
      throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        return false;
      }
      fences.add(row.getLong(2), row.getLong(3));
      written(row, startedAt, lease);
      return true;
    }
  }

  /** Copies rows to the native table, and renews the lease. */
  synchronized void divert(List<Diversion> diversions, Duration lease) {
    requireHeld();
    long startedAt = nanoTime.getAsLong();
    boolean copied =
        database.run(
            "divert events of",
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql.divert)) {
                Parameters to = new Parameters(statement);
                to.add(lease.toMillis()).add(worker).add(fence).add(epoch);
                to.add(diversions.stream().map(Diversion::seq).toList());
                to.add(diversions.stream().map(Diversion::status).toArray(String[]::new));
                to.add(diversions.stream().map(Diversion::attempts).toList());
                to.add(diversions.stream().map(Diversion::delay).toArray(Long[]::new));
                to.add(diversions.stream().map(Diversion::error).toArray(String[]::new));
                return write(statement, startedAt, lease);
              }
            });
    if (!copied) {
      throw lost();
    }
  }

  private void written(ResultSet row, long startedAt, Duration lease) throws SQLException {
    place = row.getString(1);
    leasedAt = startedAt;
    leaseNanos = lease.toNanos();
  }

  /** Gives the lease up, so that others need not wait for its end. */
  synchronized void release() {
    if (!held) {
      return;
    }
    held = false;
    database.run("give up the lead on", this::release);
  }

  private int release(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.release)) {
      new Parameters(statement).add(worker).add(fence);
      return statement.executeUpdate();
    }
  }

  /** Does not count on it any more. */
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
    return new LeaseLostException(database.layout().table().toString(), "the cursor");
  }
}
