package dev.postcommit.internal.admin;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.store.OutboxAdmin;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@link OutboxAdmin} on a log, and on the native table to which its events are diverted. */
public final class LogAdmin extends JdbcAdmin {
  private final Database database;
  private final LogAdminSql sql;
  private final LogPruning pruning;

  /**
   * The admin of a log.
   *
   * @param diverted the database of the native table to which events of the log are diverted
   */
  public LogAdmin(Database database, Database diverted) {
    super(diverted, database);
    this.database = database;
    this.sql = new LogAdminSql(database.layout());
    this.pruning = new LogPruning(database, sql);
  }

  /** What of the log is not delivered. */
  private record Backlog(
      long rows, @Nullable Instant oldest, Instant now, @Nullable UUID leader, long distance) {

    long relays() {
      return leader == null ? 0 : 1;
    }

    Duration age() {
      return oldest == null || oldest.isAfter(now) ? Duration.ZERO : Duration.between(oldest, now);
    }
  }

  private Backlog backlog(NamedSql statement) {
    return database.run("read the status of", statement, to -> to.row(LogAdmin::backlog));
  }

  private static Backlog backlog(ResultSet row) throws SQLException {
    OffsetDateTime oldest = row.getObject("oldest", OffsetDateTime.class);
    return new Backlog(
        row.getLong("rows"),
        oldest == null ? null : oldest.toInstant(),
        row.getObject("now", OffsetDateTime.class).toInstant(),
        row.getObject("leader", UUID.class),
        row.getLong("distance"));
  }

  @Override
  public Status status() {
    Backlog log = backlog(sql.backlog());
    Status diverted = super.status();
    Instant oldest = log.oldest();
    boolean isOldest =
        oldest != null
            && (diverted.oldestPending() == null || oldest.isBefore(diverted.oldestPending()));
    return new Status(
        log.rows() + diverted.pending(),
        diverted.inFlight(),
        diverted.delayed(),
        diverted.dead(),
        isOldest ? oldest : diverted.oldestPending(),
        isOldest ? log.age() : diverted.oldestAge(),
        log.relays(),
        new LogStatus(diverted.pending(), log.leader()));
  }

  @Override
  public Gauges gauges() {
    Backlog log = backlog(sql.boundedBacklog());
    Gauges diverted = super.gauges();
    boolean counted = log.rows() <= GaugeSql.BOUND;
    long rows = counted ? log.rows() : Math.max(log.rows(), log.distance());
    Count others = diverted.pending();
    Duration age = diverted.oldestAge();
    Optional<List<RelayPresence>> relays = pauses.relays();
    return new Gauges(
        others == null ? null : new Count(rows + others.rows(), counted && others.isExact()),
        diverted.inFlight(),
        diverted.delayed(),
        diverted.dead(),
        age == null || age.compareTo(log.age()) < 0 ? log.age() : age,
        relays
            .map(shown -> shown.stream().filter(RelayPresence::isAlive).count())
            .orElse(log.relays()),
        pauses.paused().isPresent(),
        new LogGauges(others, log.leader() != null));
  }

  @Override
  public long prune(Duration retention, int batchSize) {
    return LogPruning.all(
        () -> super.prune(retention, batchSize),
        () -> pruning.dropPartitions(retention),
        () -> pruning.deleteKeys(retention, batchSize),
        () -> pruning.deleteRows(retention, batchSize));
  }
}
