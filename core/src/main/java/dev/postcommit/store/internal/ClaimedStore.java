package dev.postcommit.store.internal;

import dev.postcommit.internal.OneTransaction;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Storage that takes a batch by one record in a table of claims. */
final class ClaimedStore implements OutboxStore {
  private final Database database;
  private final ClaimedSql sql;
  private final ClaimStatements claims;
  private final UUID worker;
  private final Floor floor = new Floor(System::nanoTime);
  private final Window window = new Window(System::nanoTime);
  private final BlockedEvents blocked;

  ClaimedStore(Database database, Claimed lifecycle, UUID worker) {
    this.database = database;
    this.sql = new ClaimedSql(database.layout(), lifecycle);
    this.claims = new ClaimStatements(sql::claim);
    this.worker = worker;
    this.blocked = new BlockedEvents(database, sql);
  }

  @Override
  public Taken take(ClaimRequest request) {
    blocked.deferSome(request, window.rows(request.batchSize()));
    return database.run("claim events of", connection -> take(connection, request));
  }

  private Taken take(Connection connection, ClaimRequest request) throws SQLException {
    Floor.View view = floor.view();
    try (PreparedStatement statement = connection.prepareStatement(claims.of(request))) {
      Parameters to = new Parameters(statement);
      to.add(view.epoch()).add(view.claim()).addScope(request).addScope(request);
      to.add(request.maxAttempts()).addScope(request);
      to.add(view.epoch()).add(view.ignored()).add(view.seq());
      to.addScope(request).add(view.epoch()).add(view.claim()).addScope(request);
      int rows = window.rows(request.batchSize());
      to.add(rows).addScope(request).add(rows);
      to.add(worker).add(request.lease().toMillis()).addScope(request).add(request.batchBytes());
      to.add(view.ignoredXid()).add(view.ignoredXid());
      OneTransaction.execute(statement);
      statement.getMoreResults();
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        Stores.requireLocked(row.getBoolean(11), database.layout());
        long claim = row.getLong(1);
        long lowestLive = row.getLong(3) == 0 ? claim : row.getLong(3);
        Long[] ignored = (Long[]) row.getArray(9).getArray();
        floor.learn(
            view,
            new Floor.Sight(
                row.getLong(7),
                lowestLive,
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                List.of(ignored)));
        int seen = row.getInt(8);
        window.learn(rows, seen);
        List<String> ids = Database.ids(row.getArray(2));
        blocked.seen(row.getBoolean(12) && seen > row.getInt(10));
        boolean leavesSome = seen != ids.size() || seen != row.getInt(10);
        return claim == 0 ? new Nothing(leavesSome) : taken(claim, ids, leavesSome);
      }
    }
  }

  private Taken taken(long claim, List<String> ids, boolean leavesSome) {
    List<Outcome.Released> released = ids.stream().map(Outcome.Released::new).toList();
    return new Unread(
        database, ids, claim, 1, leavesSome, () -> settle(claim, released, sql.settleAll));
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    if (!outcomes.isEmpty()) {
      boolean all = outcomes.size() == claim.events().size();
      settle(claim.token(), outcomes, all ? sql.settleAll : sql.settleSome);
    }
  }

  private void settle(long claim, Collection<? extends Outcome> outcomes, String statementText) {
    Settlement settlement = Settlement.of(outcomes);
    Settlement failed = settlement.failed();
    long held =
        database.run(
            "settle events of",
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(statementText)) {
                Parameters to = new Parameters(statement);
                to.add(claim).add(worker).add(settlement.ids()).add(settlement.delivered().ids());
                to.add(failed.ids()).add(failed.statuses());
                to.add(failed.delays())
                    .add(failed.errors())
                    .add(failed.uncounted())
                    .add(failed.ids());
                try (ResultSet row = statement.executeQuery()) {
                  row.next();
                  return row.getLong(1);
                }
              }
            });
    if (held == 0) {
      throw lost(claim);
    }
  }

  @Override
  public void renew(Claim claim, Duration lease) {
    int held =
        database.run(
            "renew a claim on",
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql.renew)) {
                new Parameters(statement).add(lease.toMillis()).add(claim.token()).add(worker);
                return statement.executeUpdate();
              }
            });
    if (held == 0) {
      throw lost(claim.token());
    }
  }

  private LeaseLostException lost(long claim) {
    return new LeaseLostException(database.layout().table().toString(), "claim " + claim);
  }
}
