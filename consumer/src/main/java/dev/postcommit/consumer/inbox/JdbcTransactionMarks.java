package dev.postcommit.consumer.inbox;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Marks events in the transactions of handlers. */
final class JdbcTransactionMarks {

  /** The statement was cancelled, or a lock not had, in time. */
  private static final Set<String> WAITED_TOO_LONG = Set.of("57014", "55P03");

  private final InboxDatabase database;

  JdbcTransactionMarks(InboxDatabase database) {
    this.database = database;
  }

  Set<String> mark(Connection tx, List<ProcessedEvent> events) throws SQLException {
    InboxDatabase.Known known = database.known(tx);
    Map<String, ProcessedEvent> byId = new LinkedHashMap<>();
    for (ProcessedEvent event : events) {
      StoreArguments.checkId(known.ids().problem(event.id()));
      byId.putIfAbsent(known.ids().canonical(event.id()), event);
    }
    @Nullable String[] types =
        byId.values().stream().map(ProcessedEvent::type).toArray(String[]::new);
    @Nullable String[] sources =
        byId.values().stream().map(ProcessedEvent::source).toArray(String[]::new);
    try (PreparedStatement statement = InboxDatabase.prepare(tx, known.sql().mark)) {
      statement.setArray(1, tx.createArrayOf("text", byId.keySet().toArray()));
      statement.setArray(2, tx.createArrayOf("text", types));
      statement.setArray(3, tx.createArrayOf("text", sources));
      Set<String> marked = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          marked.add(Objects.requireNonNull(byId.get(rows.getString(1))).id());
        }
      }
      return marked;
    } catch (SQLException e) {
      if (WAITED_TOO_LONG.contains(String.valueOf(e.getSQLState()))) {
        throw inProgress(byId.keySet(), e);
      }
      throw e;
    }
  }

  void unmark(Connection tx, Collection<String> eventIds) throws SQLException {
    InboxDatabase.Known known = database.known(tx);
    Object[] ids = eventIds.stream().map(known.ids()::canonical).toArray();
    try (PreparedStatement statement = InboxDatabase.prepare(tx, known.sql().unmark)) {
      statement.setArray(1, tx.createArrayOf("text", ids));
      statement.executeUpdate();
    }
  }

  private EventInProgressException inProgress(Set<String> ids, SQLException cause) {
    return new EventInProgressException(
        ("another transaction has marked one of these events in %s and did not end in time: %s; roll"
                + " back and try again later")
            .formatted(database.table(), ids.stream().limit(10).collect(joining(", "))),
        cause);
  }
}
