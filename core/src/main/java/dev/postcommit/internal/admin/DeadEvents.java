package dev.postcommit.internal.admin;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.EventReader;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Role;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.store.OutboxAdmin.DeadReason;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import dev.postcommit.store.StoredEvent;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds dead events. */
final class DeadEvents {
  private static final int FILTER_PARTS = 7;

  private final Database database;
  private final AdminSql sql;

  DeadEvents(Database database, AdminSql sql) {
    this.database = database;
    this.sql = sql;
  }

  /** The oldest, up to a number. */
  List<DeadSummary> list(DeadFilter filter, int limit) {
    return database.run("list dead events of", connection -> list(connection, filter, limit));
  }

  /** The ids of the oldest, up to a number. */
  List<String> ids(DeadFilter filter, int limit) {
    return database.run("list dead events of", connection -> ids(connection, filter, limit));
  }

  long count(DeadFilter filter) {
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

  /** How their errors begin, the most frequent first, up to a number. */
  List<DeadReason> reasons(DeadFilter filter, int limit) {
    return database.run(
        "count dead events of",
        connection -> {
          List<DeadReason> reasons = new ArrayList<>();
          try (PreparedStatement statement = select(connection, sql.deadReasons(), filter, limit);
              ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              reasons.add(new DeadReason(rows.getString(1), rows.getLong(2)));
            }
          }
          return reasons;
        });
  }

  /** The one of this id, with headers and payload. */
  Optional<DeadEvent> find(String id) {
    return database.run(
        "read a dead event of",
        connection -> {
          List<DeadSummary> found = list(connection, DeadFilter.ids(List.of(id)), 1);
          List<String> ids = found.stream().map(DeadSummary::id).toList();
          return database.fetch(connection, ids, 0).stream()
              .map(event -> new DeadEvent(event, found.get(0).error()))
              .findFirst();
        });
  }

  /** The ids of all of them as they are now, the oldest first, in pages of a size. */
  DeadPages pages(DeadFilter filter, int size) throws SQLException {
    return new DeadPages(database, size, c -> select(c, sql.deadIds(), filter, Integer.MAX_VALUE));
  }

  private List<DeadSummary> list(Connection connection, DeadFilter filter, int limit)
      throws SQLException {
    List<String> ids = ids(connection, filter, limit);
    Map<String, DeadSummary> found = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql.summaries())) {
      statement.setArray(1, connection.createArrayOf("text", ids.toArray()));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          StoredEvent event = database.reader().read(rows, 0);
          int width = EventReader.width();
          String error = rows.getString(width + 1);
          found.put(event.id(), DeadSummary.of(event, rows.getLong(width + 2), error));
        }
      }
    }
    return ids.stream().map(found::get).filter(Objects::nonNull).toList();
  }

  private List<String> ids(Connection connection, DeadFilter filter, int limit)
      throws SQLException {
    List<String> ids = new ArrayList<>();
    try (PreparedStatement statement = select(connection, sql.deadIds(), filter, limit);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }

  private PreparedStatement select(Connection connection, String text, DeadFilter filter, int limit)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      bind(statement, filter);
      statement.setInt(FILTER_PARTS + 1, limit);
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
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
    Optional<Column> uuid =
        database.layout().column(role).filter(c -> c.type().equalsIgnoreCase("uuid"));
    return uuid.isPresent() ? value.toLowerCase(Locale.ROOT) : value;
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
