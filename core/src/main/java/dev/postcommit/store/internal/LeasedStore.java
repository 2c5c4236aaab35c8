package dev.postcommit.store.internal;

import static java.util.stream.Collectors.toMap;

import dev.postcommit.Ordering;
import dev.postcommit.internal.OneTransaction;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Storage whose rows carry their own leases. */
final class LeasedStore implements OutboxStore {
  private final Database database;
  private final LeasedSql sql;
  private final ClaimStatements claims;
  private final UUID worker;

  LeasedStore(Database database, UUID worker) {
    this.database = database;
    this.sql = new LeasedSql(database.layout());
    this.claims = new ClaimStatements(sql::claim);
    this.worker = worker;
  }

  @Override
  public Taken take(ClaimRequest request) {
    return database.run("claim events of", connection -> take(connection, request));
  }

  private Taken take(Connection connection, ClaimRequest request) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(claims.of(request))) {
      Parameters to = new Parameters(statement).add(request.maxAttempts());
      to.addScope(request).addScope(request);
      if (request.ordering() == Ordering.PER_KEY) {
        to.addScope(request).addScope(request);
      }
      to.add(worker)
          .add(request.lease().toMillis())
          .add(request.maxAttempts())
          .add(request.batchBytes());
      OneTransaction.execute(statement);
      statement.getMoreResults();
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        Stores.requireLocked(row.getBoolean(3), database.layout());
        List<String> ids = Database.ids(row.getArray(1));
        return ids.isEmpty()
            ? Taken.NOTHING
            : taken(ids, List.of((Long[]) row.getArray(2).getArray()));
      }
    }
  }

  /** Rows that were taken for these attempts, which are the guards of their leases. */
  private Taken taken(List<String> ids, List<Long> attempts) {
    List<Outcome.Released> released = ids.stream().map(Outcome.Released::new).toList();
    return new Unread(database, ids, 0, 0, true, () -> settle(released, attempts));
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    if (outcomes.isEmpty()) {
      return;
    }
    Map<String, Long> attempts =
        claim.events().stream()
            .collect(toMap(StoredEvent::id, event -> (long) event.attempt(), (a, b) -> a));
    settle(
        outcomes,
        outcomes.stream().map(outcome -> attempts.getOrDefault(outcome.id(), -1L)).toList());
  }

  private void settle(Collection<? extends Outcome> outcomes, List<Long> guards) {
    Settlement settlement = Settlement.of(outcomes);
    long settled =
        database.run(
            "settle events of",
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql.settle)) {
                new Parameters(statement)
                    .add(settlement.ids())
                    .add(guards)
                    .add(settlement.statuses())
                    .add(settlement.delays())
                    .add(settlement.errors())
                    .add(settlement.uncounted())
                    .add(worker)
                    .add(worker);
                try (ResultSet row = statement.executeQuery()) {
                  row.next();
                  return row.getLong(1);
                }
              }
            });
    if (settled < outcomes.size()) {
      throw lost(outcomes.size() - settled);
    }
  }

  @Override
  public void renew(Claim claim, Duration lease) {
    List<StoredEvent> events = claim.events();
    int renewed =
        database.run(
            "renew leases on",
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql.renew)) {
                new Parameters(statement)
                    .add(lease.toMillis())
                    .add(events.stream().map(StoredEvent::id).toArray(String[]::new))
                    .add(events.stream().map(event -> (long) event.attempt()).toArray(Long[]::new))
                    .add(worker);
                return statement.executeUpdate();
              }
            });
    if (renewed == 0) {
      throw lost(events.size());
    }
  }

  private LeaseLostException lost(long count) {
    return new LeaseLostException(database.layout().table().toString(), count + " events");
  }
}
