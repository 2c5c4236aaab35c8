package dev.postcommit.internal.admin;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@link OutboxAdmin} on a log: what it tells of the log, and of the native table beside it.
 */
public final class LogAdmin extends TableAdmin {
  private final OutboxAdmin diverted;
  private final LogAdminSql sql;
  private final LogPruning pruning;

  public LogAdmin(Database database, Log lifecycle, OutboxAdmin diverted) {
    super(database);
    this.diverted = diverted;
    this.sql = new LogAdminSql(database.layout(), lifecycle);
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
    Status beside = diverted.status();
    Instant oldest = log.oldest();
    boolean isOldest =
        oldest != null
            && (beside.oldestPending() == null || oldest.isBefore(beside.oldestPending()));
    return new Status(
        log.rows() + beside.pending(),
        beside.inFlight(),
        beside.delayed(),
        beside.dead(),
        isOldest ? oldest : beside.oldestPending(),
        isOldest ? log.age() : beside.oldestAge(),
        log.relays(),
        new LogStatus(beside.pending(), log.leader()));
  }

  @Override
  public Gauges gauges() {
    Backlog log = backlog(sql.boundedBacklog());
    Gauges beside = diverted.gauges();
    boolean counted = log.rows() <= GaugeSql.BOUND;
    long rows = counted ? log.rows() : Math.max(log.rows(), log.distance());
    Count others = beside.pending();
    Duration age = beside.oldestAge();
    Optional<List<RelayPresence>> relays = pauses.relays();
    return new Gauges(
        others == null ? null : new Count(rows + others.rows(), counted && others.isExact()),
        beside.inFlight(),
        beside.delayed(),
        beside.dead(),
        age == null || age.compareTo(log.age()) < 0 ? log.age() : age,
        relays
            .map(shown -> shown.stream().filter(RelayPresence::isAlive).count())
            .orElse(log.relays()),
        pauses.paused().isPresent(),
        new LogGauges(others, log.leader() != null));
  }

  @Override
  public List<DeadSummary> dead(DeadFilter filter, int limit) {
    return diverted.dead(filter, limit);
  }

  @Override
  public List<String> deadIds(DeadFilter filter, int limit) {
    return diverted.deadIds(filter, limit);
  }

  @Override
  public long countDead(DeadFilter filter) {
    return diverted.countDead(filter);
  }

  @Override
  public List<DeadReason> deadReasons(DeadFilter filter, int limit) {
    return diverted.deadReasons(filter, limit);
  }

  @Override
  public Optional<DeadEvent> dead(String id) {
    return diverted.dead(id);
  }

  @Override
  public long replay(DeadFilter filter, Decision decision, LongConsumer soFar) {
    return diverted.replay(filter, decision, soFar);
  }

  @Override
  public long discard(DeadFilter filter, Decision decision, LongConsumer soFar) {
    return diverted.discard(filter, decision, soFar);
  }

  @Override
  public List<AuditEntry> audit(int limit) {
    return diverted.audit(limit);
  }

  @Override
  public long prune(Duration retention, int batchSize) {
    return LogPruning.all(
        () -> diverted.prune(retention, batchSize),
        () -> pruning.dropPartitions(retention),
        () -> pruning.deleteKeys(retention, batchSize),
        () -> pruning.deleteRows(retention, batchSize));
  }
}
