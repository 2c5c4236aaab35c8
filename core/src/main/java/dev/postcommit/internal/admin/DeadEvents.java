package dev.postcommit.internal.admin;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Role;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.store.OutboxAdmin.DeadReason;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds dead events. */
final class DeadEvents {
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
        sql.countDead(),
        to -> bind(to, filter).row(row -> row.getLong("events")));
  }

  /** How their errors begin, the most frequent first, up to a number. */
  List<DeadReason> reasons(DeadFilter filter, int limit) {
    return database.run(
        "count dead events of",
        sql.deadReasons(),
        to ->
            bind(to, filter)
                .set("limit", limit)
                .rows(row -> new DeadReason(row.getString("reason"), row.getLong("events"))));
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
    return new DeadPages(database, size, c -> select(c, filter, Integer.MAX_VALUE));
  }

  private List<DeadSummary> list(Connection connection, DeadFilter filter, int limit)
      throws SQLException {
    List<String> ids = ids(connection, filter, limit);
    Map<String, DeadSummary> found = new HashMap<>();
    sql.summaries()
        .run(
            connection,
            to ->
                to.setTexts("ids", ids)
                    .forEach(
                        row -> {
                          DeadSummary dead =
                              DeadSummary.of(
                                  database.reader().read(row, 0),
                                  row.getLong("payload_bytes"),
                                  row.getString("why"));
                          found.put(dead.id(), dead);
                        }));
    return ids.stream().map(found::get).filter(Objects::nonNull).toList();
  }

  private List<String> ids(Connection connection, DeadFilter filter, int limit)
      throws SQLException {
    try (NamedStatement statement = select(connection, filter, limit)) {
      return statement.rows(row -> row.getString("event"));
    }
  }

  private NamedStatement select(Connection connection, DeadFilter filter, int limit)
      throws SQLException {
    NamedStatement statement = sql.deadIds().prepare(connection);
    try {
      return bind(statement, filter).set("limit", limit);
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  private NamedStatement bind(NamedStatement to, DeadFilter filter) throws SQLException {
    return to.set("ids", ids(filter))
        .set("type", filter.type())
        .set("topic", filter.topic())
        .set("key", filter.key() == null ? null : as(Role.KEY, filter.key()))
        .set("error", filter.error())
        .set("written_from", text(filter.writtenFrom()))
        .set("written_before", text(filter.writtenBefore()));
  }

  private String @Nullable [] ids(DeadFilter filter) {
    return filter.ids() == null
        ? null
        : filter.ids().stream().map(id -> as(Role.ID, id)).toArray(String[]::new);
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
