package dev.postcommit.consumer.inbox;

import dev.postcommit.support.OneTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Marks in transactions of their own. Events in progress are claims in a side table.
 *
 * <p>These can coincide for one event:
 *
 * <ul>
 *   <li>Two begin at once: the second waits in the index of claims for the first to commit, then
 *       finds its claim alive and gets nothing.
 *   <li>Two take over an expired claim: the second waits for the row and checks it again, which is
 *       alive now.
 *   <li>One begins, having seen no processed event, and another completes: the claim is free once
 *       the completion is committed, so the first gets it; and gives it back, because its next
 *       statement sees the processed event.
 *   <li>One completes late, when no one has the claim any more, and another begins: both need the
 *       entry in the index of claims, so one waits. Either the first sees the other's claim and
 *       returns false, or the other sees the processed event.
 *   <li>One begins while the event is marked in another's open transaction: that mark is invisible,
 *       and completing fails once it is committed. So a table must not be used in both ways.
 * </ul>
 */
final class JdbcClaims {

  private static final int PRUNED_AT_ONCE = 1_000;

  private final InboxDatabase database;
  private final String consumer;
  private final UnansweredCalls<String> unansweredBegins = new UnansweredCalls<>();
  private final UnansweredCalls<List<String>> unansweredMarks = new UnansweredCalls<>();

  JdbcClaims(InboxDatabase database, String consumer) {
    this.database = database;
    this.consumer = consumer;
  }

  List<Begin> begin(List<String> eventIds, Duration time) {
    String token = UUID.randomUUID().toString();
    return database.runClaiming(
        "begin events of",
        (connection, known) -> {
          Set<String> free = new HashSet<>();
          Set<String> processed = new HashSet<>();
          Map<String, String> asked = new LinkedHashMap<>();
          for (String id : eventIds) {
            asked.computeIfAbsent(
                known.ids().canonical(id), each -> unansweredBegins.take(each, token));
          }
          String[] ids = asked.keySet().toArray(String[]::new);
          String[] tokens = asked.values().toArray(String[]::new);
          try (PreparedStatement statement =
              prepare(
                  connection, known.sql().begin, ids, tokens, time.toMillis(), ids, tokens, ids)) {
            OneTransaction.execute(statement);
            read(statement, free);
            statement.getMoreResults();
            statement.getMoreResults();
            read(statement, processed);
          } catch (SQLException e) {
            asked.forEach(unansweredBegins::keep);
            throw e;
          }
          List<Begin> answers = new ArrayList<>(eventIds.size());
          for (String id : eventIds) {
            String canonical = known.ids().canonical(id);
            // Of two spellings of one id, only the first proceeds.
            answers.add(
                processed.contains(canonical)
                    ? Begin.DUPLICATE
                    : free.remove(canonical)
                        ? new Begin.Proceed(
                            new Mark(consumer, id, asked.getOrDefault(canonical, token)))
                        : Begin.IN_PROGRESS);
          }
          return answers;
        });
  }

  boolean complete(Mark mark) {
    return database.runClaiming(
        "complete event " + mark.eventId() + " of",
        (connection, known) -> {
          String id = known.ids().canonical(mark.eventId());
          return execute(connection, known.sql().complete, 0, id, mark.token()) == 1
              || execute(
                      connection,
                      known.sql().completeLate,
                      1,
                      id,
                      mark.token(),
                      id,
                      mark.token(),
                      id,
                      mark.token())
                  == 1;
        });
  }

  void abandon(List<Mark> marks) {
    database.runClaiming(
        "abandon events of",
        (connection, known) -> {
          String[] ids =
              marks.stream().map(m -> known.ids().canonical(m.eventId())).toArray(String[]::new);
          String[] tokens = marks.stream().map(Mark::token).toArray(String[]::new);
          return execute(connection, known.sql().abandon, 0, ids, tokens);
        });
  }

  /**
   * Marks an event, unless there is a mark already that was not set by an unanswered call of ours.
   * The token is the id of the transaction that wrote the row.
   */
  Optional<Mark> mark(String eventId, Duration ttl) {
    return database.run(
        "mark event " + eventId + " in",
        (connection, known) -> {
          String id = known.ids().canonical(eventId);
          List<String> transactions = new ArrayList<>(unansweredMarks.take(id, List.of()));
          connection.setAutoCommit(false);
          try {
            int written = mark(connection, known, id, ttl, transactions);
            connection.commit();
            connection.setAutoCommit(true);
            String own = transactions.get(transactions.size() - 1);
            return written == 0 ? Optional.empty() : Optional.of(new Mark(consumer, eventId, own));
          } catch (SQLException e) {
            if (!transactions.isEmpty()) {
              unansweredMarks.keep(id, transactions);
            }
            InboxDatabase.rollBack(connection, e);
            throw e;
          }
        });
  }

  /**
   * Marks an event in a transaction, and adds the transaction's id to those that may have done so.
   * Nothing else in the table says whose mark it is.
   *
   * @return how many rows were written
   */
  private static int mark(
      Connection connection,
      InboxDatabase.Known known,
      String id,
      Duration ttl,
      List<String> transactions)
      throws SQLException {
    boolean claims = known.table().hasClaims();
    String token = UUID.randomUUID().toString();
    String[] own = transactions.toArray(String[]::new);
    try (PreparedStatement statement =
        claims
            ? prepare(
                connection,
                known.sql().checkAndMark,
                id,
                token,
                id,
                token,
                ttl.toMillis(),
                own,
                id,
                token)
            : prepare(connection, known.sql().checkAndMarkUnclaimed, id, ttl.toMillis(), own)) {
      statement.execute();
      if (claims) {
        statement.getMoreResults();
      }
      int written = statement.getUpdateCount();
      if (claims) {
        statement.getMoreResults();
      }
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        transactions.add(row.getString(1));
      }
      return written;
    }
  }

  void unmark(Mark mark) {
    database.run(
        "unmark event " + mark.eventId() + " of",
        (connection, known) ->
            execute(
                connection,
                known.sql().unmarkOwn,
                0,
                known.ids().canonical(mark.eventId()),
                mark.token()));
  }

  /** Whether there was a mark. */
  boolean delete(String eventId) {
    return database.run(
        "delete event " + eventId + " of",
        (connection, known) -> {
          String id = known.ids().canonical(eventId);
          boolean claimed =
              known.table().hasClaims() && execute(connection, known.sql().deleteClaim, 0, id) > 0;
          return execute(connection, known.sql().delete, 0, id) > 0 || claimed;
        });
  }

  long prune(Duration ttl) {
    return database.run(
        "prune",
        (connection, known) -> {
          if (known.table().hasClaims()) {
            deleteAll(connection, known.sql().pruneClaims, PRUNED_AT_ONCE);
          }
          return deleteAll(connection, known.sql().prune, ttl.toMillis(), PRUNED_AT_ONCE);
        });
  }

  private static long deleteAll(Connection connection, String sql, Object... parameters)
      throws SQLException {
    long deleted = 0;
    int last;
    do {
      last = execute(connection, sql, 0, parameters);
      deleted += last;
    } while (last == PRUNED_AT_ONCE);
    return deleted;
  }

  /**
   * Executes one statement if {@code index} is 0, else those of a {@link OneTransaction}; returns
   * how many rows the one at {@code index} wrote.
   */
  private static int execute(Connection connection, String sql, int index, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      if (index == 0) {
        return statement.executeUpdate();
      }
      OneTransaction.execute(statement);
      for (int i = 0; i < index; i++) {
        statement.getMoreResults();
      }
      return statement.getUpdateCount();
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = InboxDatabase.prepare(connection, sql);
    try {
      for (int i = 0; i < parameters.length; i++) {
        Object value = parameters[i];
        statement.setObject(
            i + 1,
            value instanceof String[] texts ? connection.createArrayOf("text", texts) : value);
      }
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  private static void read(PreparedStatement statement, Set<String> into) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        into.add(rows.getString(1));
      }
    }
  }
}
