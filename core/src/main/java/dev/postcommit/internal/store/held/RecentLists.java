package dev.postcommit.internal.store.held;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.internal.store.ClaimStatements;
import dev.postcommit.internal.store.held.Backlog.Candidate;
import dev.postcommit.internal.store.held.RecentRows.Place;
import dev.postcommit.store.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
   * @param looked how many there are, due or not
   * @param behind keys that have an older row that is still to be delivered
   * @param first the rows of all other keys of which no event waits
   */
  private record Recent(long looked, List<String> behind, List<Candidate> first) {}

  /** Lists parts of the table; returns false if all of it is to be listed instead. */
  boolean list(Connection connection, ClaimRequest request) throws SQLException {
    for (int i = 0; i < RecentRows.STEPS_AT_ONCE && pending.maySteps(); i++) {
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
      if (written.size() >= HeldStore.LONGEST_LIST) {
        return false;
      }
    }
    // Of a key of which all rows are listed, the recent ones are among them.
    found.first().stream().filter(row -> !wanted.contains(row.key())).forEach(written::add);
    pending.listedInPart(request, written, startedAt, found.looked() - found.first().size());
    return true;
  }

  private Recent recent(Connection connection, ClaimRequest request) throws SQLException {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    long millis = pending.moment().toMillis() + 1;
    long looked = 0;
    Map<String, Boolean> isBehind = new HashMap<>();
    List<Candidate> first = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(recent.of(request))) {
      new Parameters(statement)
          .add(millis)
          .addScope(request)
          .add(HeldStore.LONGEST_LIST)
          .addScope(request)
          .add(millis)
          .addScope(request);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          int kind = row.getInt(1);
          @Nullable String key = row.getString(3);
          if (kind == 0) {
            looked = row.getLong(4);
          } else if (kind == 1) {
            isBehind.put(key, row.getBoolean(6));
          } else {
            if (!ordered || key == null || Boolean.FALSE.equals(isBehind.get(key))) {
              first.add(
                  candidate(
                      row.getString(2), key, row.getLong(4), row.getBoolean(6), row.getDouble(5)));
            }
          }
        }
      }
    }
    List<String> behind =
        isBehind.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
    return new Recent(looked, behind, first);
  }

  private List<Candidate> ofKeys(Connection connection, ClaimRequest request, Set<String> wanted)
      throws SQLException {
    List<Candidate> written = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(keys.of(request))) {
      new Parameters(statement)
          .add(wanted.toArray(String[]::new))
          .addScope(request)
          .addScope(request)
          .add(HeldStore.LONGEST_LIST)
          .add(HeldStore.LONGEST_LIST);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          written.add(
              candidate(
                  row.getString(1),
                  row.getString(2),
                  row.getLong(3),
                  row.getBoolean(5),
                  row.getDouble(4)));
        }
      }
    }
    return written;
  }

  private Candidate candidate(
      String id, @Nullable String key, long bytes, boolean isCompressed, double due) {
    return new Candidate(id, key, bytes, sql.mayInflate && isCompressed, due);
  }

  private void step(Connection connection, ClaimRequest request) throws SQLException {
    long startedAt = nanoTime.getAsLong();
    @Nullable Place from = pending.place();
    String text = from == null ? firstStep.of(request) : nextStep.of(request);
    long looked = 0;
    @Nullable Place last = null;
    List<String> foundKeys = new ArrayList<>();
    List<String> foundIds = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      Parameters to = new Parameters(statement);
      if (from != null) {
        to.add(from.written()).add(from.id());
      }
      to.addScope(request).add(RecentRows.STEP).addScope(request);
      if (from == null) {
        to.addScope(request);
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          int kind = row.getInt(1);
          if (kind == 0) {
            looked = row.getLong(2);
            last = looked == 0 ? null : new Place(row.getString(3), row.getString(4));
          } else if (kind == 1) {
            foundKeys.add(row.getString(5));
          } else {
            foundIds.add(row.getString(4));
          }
        }
      }
    }
    pending.stepped(nanoTime.getAsLong() - startedAt, looked, last, foundKeys, foundIds);
  }
}
