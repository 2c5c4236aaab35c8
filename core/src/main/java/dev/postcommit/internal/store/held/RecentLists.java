package dev.postcommit.internal.store.held;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.store.ClaimStatements;
import dev.postcommit.internal.store.held.Backlog.Candidate;
import dev.postcommit.internal.store.held.RecentRows.Position;
import dev.postcommit.store.ClaimRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lists {@linkplain RecentRows parts} of a held table. */
final class RecentLists {
  private final HeldSql sql;
  private final PendingRows pending;
  private final LongSupplier nanoTime;
  private final ClaimStatements recent;
  private final ClaimStatements keys;
  private final ClaimStatements firstStep;
  private final ClaimStatements nextStep;

  RecentLists(RecentSql statements, HeldSql sql, PendingRows pending, LongSupplier nanoTime) {
    this.sql = sql;
    this.pending = pending;
    this.nanoTime = nanoTime;
    this.recent = new ClaimStatements(statements::recent);
    this.keys = new ClaimStatements(statements::keys);
    this.firstStep = new ClaimStatements(statements::firstStep);
    this.nextStep = new ClaimStatements(statements::nextStep);
  }

  /**
   * The rows of the last moments.
   *
   * @param scanned how many there are, due or not
   * @param behind keys that have an older row that is still to be delivered
   * @param first the rows of all other keys of which no event waits
   */
  private record Recent(long scanned, List<String> behind, List<Candidate> first) {}

  /** Lists parts of the table; returns false if the whole table must be listed instead. */
  boolean list(Connection connection, ClaimRequest request) throws SQLException {
    for (int i = 0; i < RecentRows.STEPS_AT_ONCE && pending.mayStep(); i++) {
      step(connection, request);
    }
    if (!pending.areRecentRowsEnough(request)) {
      return false;
    }
    pending.listing();
    long startedAt = nanoTime.getAsLong();
    Recent found = recent(connection, request);
    Set<String> wanted = pending.takeWanted(found.behind());
    if (wanted.size() > RecentRows.MOST_KEYS) {
      return false;
    }
    List<Candidate> written = new ArrayList<>();
    if (!wanted.isEmpty()) {
      written.addAll(ofKeys(connection, request, wanted));
      if (written.size() >= BacklogReader.LONGEST_LIST) {
        return false;
      }
    }
    // Of a key of which all rows are listed, the recent ones are among them.
    found.first().stream().filter(row -> !wanted.contains(row.key())).forEach(written::add);
    pending.listedInPart(request, written, startedAt, found.scanned() - found.first().size());
    return true;
  }

  private Recent recent(Connection connection, ClaimRequest request) throws SQLException {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    long scanned = 0;
    Map<String, Boolean> isBehind = new HashMap<>();
    List<Candidate> first = new ArrayList<>();
    try (NamedStatement statement = recent.of(request).prepare(connection)) {
      statement
          .setScope(request)
          .set("millis", pending.moment().toMillis() + 1)
          .set("limit", BacklogReader.LONGEST_LIST);
      try (ResultSet row = statement.query()) {
        while (row.next()) {
          int kind = row.getInt("kind");
          @Nullable String key = row.getString("ordering_key");
          if (kind == 0) {
            scanned = row.getLong("bytes");
          } else if (kind == 1) {
            isBehind.put(key, row.getBoolean("flag"));
          } else if (!ordered || key == null || Boolean.FALSE.equals(isBehind.get(key))) {
            first.add(sql.candidate(row, key, row.getBoolean("flag")));
          }
        }
      }
    }
    List<String> behind =
        isBehind.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
    return new Recent(scanned, behind, first);
  }

  private List<Candidate> ofKeys(Connection connection, ClaimRequest request, Set<String> wanted)
      throws SQLException {
    return keys.of(request)
        .run(
            connection,
            to ->
                to.setScope(request)
                    .setTexts("keys", wanted)
                    .set("limit", BacklogReader.LONGEST_LIST)
                    .rows(
                        row ->
                            sql.candidate(
                                row, row.getString("ordering_key"), row.getBoolean("compressed"))));
  }

  private void step(Connection connection, ClaimRequest request) throws SQLException {
    long startedAt = nanoTime.getAsLong();
    @Nullable Position from = pending.position();
    NamedSql text = from == null ? firstStep.of(request) : nextStep.of(request);
    long scanned = 0;
    @Nullable Position last = null;
    List<String> foundKeys = new ArrayList<>();
    List<String> foundIds = new ArrayList<>();
    try (NamedStatement statement = text.prepare(connection)) {
      if (from != null) {
        statement.set("written", from.written()).set("id", from.id());
      }
      statement.setScope(request).set("limit", RecentRows.STEP);
      try (ResultSet row = statement.query()) {
        while (row.next()) {
          int kind = row.getInt("kind");
          if (kind == 0) {
            scanned = row.getLong("walked");
            last =
                scanned == 0
                    ? null
                    : new Position(row.getString("written"), row.getString("event"));
          } else if (kind == 1) {
            foundKeys.add(row.getString("ordering_key"));
          } else {
            foundIds.add(row.getString("event"));
          }
        }
      }
    }
    pending.stepped(nanoTime.getAsLong() - startedAt, scanned, last, foundKeys, foundIds);
  }
}
