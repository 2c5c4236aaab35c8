package dev.postcommit.internal.store.held;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.ClaimStatements;
import dev.postcommit.internal.store.held.Backlog.Candidate;
import dev.postcommit.store.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lists the backlog of a held table, and measures what of it is taken next. */
final class BacklogReader {
  static final int LONGEST_LIST = 100_000;
  private static final int ROWS_AT_A_TIME = 10_000;

  private final Database database;
  private final HeldSql sql;
  private final PendingRows pending;
  private final LongSupplier nanoTime;
  private final ClaimStatements lists;
  private final Optional<RecentLists> recentLists;
  private @Nullable Boolean listsRecentRows;

  BacklogReader(Database database, HeldSql sql, PendingRows pending, LongSupplier nanoTime) {
    this.database = database;
    this.sql = sql;
    this.pending = pending;
    this.nanoTime = nanoTime;
    this.lists = new ClaimStatements(sql::list);
    this.recentLists = sql.recent().map(recent -> new RecentLists(recent, sql, pending, nanoTime));
  }

  /** Takes the next events of the list, as many as fit into memory. */
  List<Candidate> take(@Nullable Connection lister, ClaimRequest request) throws SQLException {
    List<String> unmeasured = pending.unmeasured(request);
    if (!unmeasured.isEmpty()) {
      over(lister, request, connection -> measure(connection, unmeasured));
    }
    return pending.take(request);
  }

  private void measure(Connection connection, List<String> ids) throws SQLException {
    Map<String, Long> sizes = new HashMap<>();
    sql.measure.run(
        connection,
        to ->
            to.setTexts("ids", ids)
                .forEach(row -> sizes.put(row.getString("event"), row.getLong("bytes"))));
    pending.measured(sizes);
  }

  /** Lists the backlog, or as much of it as is needed. */
  void list(@Nullable Connection lister, ClaimRequest request) throws SQLException {
    over(lister, request, connection -> listOver(connection, request));
  }

  /** A query about the backlog. */
  @FunctionalInterface
  private interface Query {
    void run(Connection connection) throws SQLException;
  }

  /** Queries over the connection that has the lock, or else over one of its own. */
  private void over(@Nullable Connection lister, ClaimRequest request, Query query)
      throws SQLException {
    if (lister != null) {
      query.run(lister);
      return;
    }
    Connection own = database.open();
    try {
      sql.settings(own, request.lease());
      query.run(own);
    } finally {
      Database.end(own);
    }
  }

  private void listOver(Connection connection, ClaimRequest request) throws SQLException {
    if (listsRecentRows(connection)
        && pending.areRecentRowsEnough(request)
        && recentLists.orElseThrow().list(connection, request)) {
      return;
    }
    pending.listing();
    long startedAt = nanoTime.getAsLong();
    List<Candidate> written = candidates(connection, request);
    boolean isWhole = written.size() < LONGEST_LIST;
    pending.listedInFull(request, written, isWhole, nanoTime.getAsLong() - startedAt);
  }

  /** Whether the table has the index for it; asked once. */
  private boolean listsRecentRows(Connection connection) throws SQLException {
    if (listsRecentRows == null) {
      listsRecentRows =
          recentLists.isPresent() && database.hasIndexes(connection, HeldSql.KEY_INDEX);
    }
    return listsRecentRows;
  }

  private List<Candidate> candidates(Connection connection, ClaimRequest request)
      throws SQLException {
    Map<String, String> keys = new HashMap<>();
    return lists
        .of(request)
        .run(
            connection,
            to ->
                to.fetchSize(ROWS_AT_A_TIME)
                    .setScope(request)
                    .set("limit", LONGEST_LIST)
                    .rows(
                        row -> {
                          @Nullable String key = row.getString("ordering_key");
                          return sql.candidate(
                              row,
                              key == null ? null : keys.computeIfAbsent(key, k -> k),
                              row.getBoolean("compressed"));
                        }));
  }
}
