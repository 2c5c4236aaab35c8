package dev.postcommit.store.internal;

import dev.postcommit.store.OutboxAdmin;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The {@link OutboxAdmin} on a Postgres table. */
final class JdbcAdmin implements OutboxAdmin {
  private final Database database;
  private final AdminSql sql;

  JdbcAdmin(Database database, AdminSql sql) {
    this.database = database;
    this.sql = sql;
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
                row.getLong(7));
          }
        });
  }

  @Override
  public List<DeadEvent> dead(int limit) {
    return database.run(
        "list dead events of",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql.listDead())) {
            statement.setInt(1, limit);
            return read(statement);
          }
        });
  }

  @Override
  public List<String> deadIds() {
    return database.run(
        "list dead events of",
        connection -> {
          List<String> ids = new ArrayList<>();
          try (PreparedStatement statement = connection.prepareStatement(sql.listDeadIds());
              ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              ids.add(rows.getString(1));
            }
          }
          return ids;
        });
  }

  @Override
  public Optional<DeadEvent> dead(String id) {
    return database.run(
        "look for a dead event in",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql.findDead())) {
            statement.setString(1, id);
            return read(statement).stream().findFirst();
          }
        });
  }

  @Override
  public int replay(Collection<String> ids) {
    return database.run("replay dead events of", c -> update(c, sql.replay(), ids));
  }

  @Override
  public int discard(Collection<String> ids) {
    return database.run("discard dead events of", c -> update(c, sql.discard(), ids));
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
          try (PreparedStatement statement = connection.prepareStatement(sql.prune())) {
            int deleted;
            do {
              new Parameters(statement).add(retention.toMillis()).add(batchSize);
              deleted = statement.executeUpdate();
              total += deleted;
            } while (deleted == batchSize && !Thread.currentThread().isInterrupted());
          }
          return total;
        });
  }

  private List<DeadEvent> read(PreparedStatement statement) throws SQLException {
    List<DeadEvent> events = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        events.add(
            new DeadEvent(
                database.reader().read(rows, 0), rows.getString(EventReader.width() + 1)));
      }
    }
    return events;
  }

  private static int update(Connection connection, String sql, Collection<String> ids)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement).add(ids.toArray(String[]::new));
      return statement.executeUpdate();
    }
  }
}
