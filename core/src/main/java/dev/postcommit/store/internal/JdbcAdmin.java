package dev.postcommit.store.internal;

import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@link OutboxAdmin} on a Postgres table. */
final class JdbcAdmin implements OutboxAdmin {
  private static final int FILTER_PARTS = 7;

  private final Database database;
  private final AdminSql sql;
  private final Decisions decisions;
  private final Pauses pauses;
  private final TopicRegistry topics;
  private final Gauging gauging;

  JdbcAdmin(Database database) {
    this.database = database;
    this.sql = AdminSql.of(database.layout());
    this.decisions = new Decisions(database);
    this.pauses = new Pauses(database);
    this.topics = new TopicRegistry(database);
    this.gauging = new Gauging(database, pauses);
  }

  @Override
  public Status status() {
    return database.run(
        "read the status of",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql.status());
              ResultSet row = statement.executeQuery()) {
            row.next();
            OffsetDateTime oldest = row.getObject(5, OffsetDateTime.class);
            Instant since = oldest == null ? null : oldest.toInstant();
            Instant now = row.getObject(6, OffsetDateTime.class).toInstant();
            return new Status(
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                since,
                since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now),
                row.getLong(7),
                null);
          }
        });
  }

  @Override
  public Gauges gauges() {
    return gauging.read();
  }

  @Override
  public List<DeadEvent> dead(DeadFilter filter, int limit) {
    checkLimit(limit);
    return database.run(
        "list dead events of",
        connection -> {
          Map<String, @Nullable String> errors = errors(connection, filter, limit);
          return database.fetch(connection, List.copyOf(errors.keySet()), 0).stream()
              .map(event -> new DeadEvent(event, errors.get(event.id())))
              .toList();
        });
  }

  @Override
  public List<String> deadIds(DeadFilter filter) {
    return database.run(
        "list dead events of",
        connection -> List.copyOf(errors(connection, filter, Integer.MAX_VALUE).keySet()));
  }

  @Override
  public long countDead(DeadFilter filter) {
    return database.run(
        "count dead events of",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql.countDead())) {
            bind(statement, filter);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              return row.getLong(1);
            }
          }
        });
  }

  @Override
  public Optional<DeadEvent> dead(String id) {
    return dead(DeadFilter.ids(List.of(id)), 1).stream().findFirst();
  }

  @Override
  public int replay(DeadFilter filter, Decision decision) {
    return decisions.replay(deadIds(filter), decision);
  }

  @Override
  public int discard(DeadFilter filter, Decision decision) {
    if (decision.reason() == null) {
      throw new IllegalArgumentException(
          "a discard needs a reason, for nothing else remains of the event");
    }
    return decisions.discard(deadIds(filter), decision);
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
    return database.run(
        "prune",
        connection -> {
          long total = 0;
          long deleted;
          do {
            deleted = pruneBatch(connection, retention, batchSize);
            total += deleted;
          } while (deleted == batchSize && !Thread.currentThread().isInterrupted());
          if (sql.pruneOrphans().isPresent()) {
            pruneOrphans(connection, sql.pruneOrphans().get(), batchSize);
          }
          return total;
        });
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

  private long pruneBatch(Connection connection, Duration retention, int batchSize)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.prune())) {
      new Parameters(statement).add(retention.toMillis()).add(batchSize);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static void pruneOrphans(Connection connection, String orphans, int batchSize)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(orphans)) {
      statement.setInt(1, batchSize);
      statement.executeUpdate();
    }
  }

  /** The errors of dead events by their ids, the oldest first. */
  private Map<String, @Nullable String> errors(Connection connection, DeadFilter filter, int limit)
      throws SQLException {
    Map<String, @Nullable String> errors = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql.listDead())) {
      bind(statement, filter);
      statement.setInt(FILTER_PARTS + 1, limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          errors.put(rows.getString(1), rows.getString(2));
        }
      }
    }
    return errors;
  }

  private void bind(PreparedStatement statement, DeadFilter filter) throws SQLException {
    statement.setArray(1, ids(statement, filter));
    statement.setString(2, filter.type());
    statement.setString(3, filter.topic());
    statement.setString(4, filter.key() == null ? null : as(Role.KEY, filter.key()));
    statement.setString(5, filter.error());
    statement.setString(6, text(filter.writtenFrom()));
    statement.setString(FILTER_PARTS, text(filter.writtenBefore()));
  }

  private @Nullable Array ids(PreparedStatement statement, DeadFilter filter) throws SQLException {
    if (filter.ids() == null) {
      return null;
    }
    List<String> ids = new ArrayList<>();
    for (String id : filter.ids()) {
      ids.add(as(Role.ID, id));
    }
    return statement.getConnection().createArrayOf("text", ids.toArray());
  }

  /** A value as the database writes it, whose UUIDs are in lower case. */
  private String as(Role role, String value) {
    Layout layout = database.layout();
    Optional<Column> uuid = layout.column(role).filter(c -> c.type().equalsIgnoreCase("uuid"));
    return uuid.isPresent() ? value.toLowerCase(Locale.ROOT) : value;
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static void checkLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
  }
}
