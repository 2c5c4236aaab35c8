package dev.postcommit.internal.admin;

import dev.postcommit.internal.check.PruneRights;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.Pauses;
import dev.postcommit.internal.store.TopicRegistry;
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
import java.util.function.LongConsumer;

/** The {@link OutboxAdmin} on a Postgres table. */
public class JdbcAdmin implements OutboxAdmin {
  private final Database database;
  private final AdminSql sql;
  private final DeadEvents dead;
  private final Decisions decisions;
  private final GaugeReader gauges;
  private final PruneRights pruneRights;

  private final TopicRegistry topics;
  final Pauses pauses;

  public JdbcAdmin(Database database) {
    this(database, database);
  }

  /**
   * The admin of a table whose events are in another one when they fail.
   *
   * @param database that of the events that failed
   * @param table that of the table, for which relays and topics are known
   */
  JdbcAdmin(Database database, Database table) {
    this.database = database;
    this.sql = AdminSql.of(database.layout());
    this.dead = new DeadEvents(database, sql);
    this.decisions = new Decisions(database, dead);
    this.pauses = new Pauses(table);
    this.topics = new TopicRegistry(table);
    this.gauges = new GaugeReader(database, pauses);
    this.pruneRights = new PruneRights(database);
  }

  @Override
  public Status status() {
    return database.run("read the status of", sql.status(), to -> to.row(JdbcAdmin::status));
  }

  private static Status status(ResultSet row) throws SQLException {
    OffsetDateTime oldest = row.getObject("oldest", OffsetDateTime.class);
    Instant since = oldest == null ? null : oldest.toInstant();
    Instant now = row.getObject("now", OffsetDateTime.class).toInstant();
    return new Status(
        row.getLong("pending"),
        row.getLong("held"),
        row.getLong("delayed"),
        row.getLong("dead"),
        since,
        since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now),
        row.getLong("relays"),
        null);
  }

  @Override
  public Gauges gauges() {
    return gauges.read();
  }

  @Override
  public List<DeadSummary> dead(DeadFilter filter, int limit) {
    checkLimit(limit);
    return dead.list(filter, limit);
  }

  @Override
  public List<String> deadIds(DeadFilter filter, int limit) {
    checkLimit(limit);
    return dead.ids(filter, limit);
  }

  @Override
  public long countDead(DeadFilter filter) {
    return dead.count(filter);
  }

  @Override
  public List<DeadReason> deadReasons(DeadFilter filter, int limit) {
    checkLimit(limit);
    return dead.reasons(filter, limit);
  }

  @Override
  public Optional<DeadEvent> dead(String id) {
    return dead.find(id);
  }

  @Override
  public long replay(DeadFilter filter, Decision decision, LongConsumer soFar) {
    return decisions.replay(filter, decision, soFar);
  }

  @Override
  public long discard(DeadFilter filter, Decision decision, LongConsumer soFar) {
    if (decision.reason() == null) {
      throw new IllegalArgumentException(
          "a discard needs a reason, for nothing else remains of the event");
    }
    return decisions.discard(filter, decision, soFar);
  }

  @Override
  public List<AuditEntry> audit(int limit) {
    checkLimit(limit);
    return decisions.audit(limit);
  }

  @Override
  public long prune(Duration retention, int batchSize) {
    if (retention.isNegative()) {
      throw new IllegalArgumentException("retention must not be negative, not " + retention);
    }
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize must be at least 1, not " + batchSize);
    }
    long total = 0;
    long deleted;
    do {
      // The connection is given back after each batch: claims may wait for one.
      deleted =
          pruneRights.run(
              sql.prune(),
              to ->
                  to.set("retention_millis", retention.toMillis())
                      .set("limit", batchSize)
                      .row(row -> row.getLong("deleted")));
      total += deleted;
    } while (deleted == batchSize && !Thread.currentThread().isInterrupted());
    if (sql.pruneOrphans().isPresent()) {
      int unused =
          pruneRights.run(sql.pruneOrphans().get(), to -> to.set("limit", batchSize).update());
    }
    return total;
  }

  @Override
  public boolean pause(Decision decision) {
    return pauses.pause(decision);
  }

  @Override
  public boolean resume(Decision decision) {
    return pauses.resume(decision);
  }

  @Override
  public Optional<Pause> paused() {
    return pauses.paused();
  }

  @Override
  public Optional<List<RelayPresence>> relays() {
    return pauses.relays();
  }

  @Override
  public Optional<List<TopicOutage>> topics() {
    return topics.outages();
  }

  @Override
  public boolean giveUp(String topic, Decision decision) {
    return topics.giveUp(topic, decision);
  }

  private static void checkLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
  }
}
