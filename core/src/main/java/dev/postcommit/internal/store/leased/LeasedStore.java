package dev.postcommit.internal.store.leased;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.support.OneTransaction;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.store.BlockedEvents;
import dev.postcommit.internal.store.ClaimStatements;
import dev.postcommit.internal.store.HeldClaims;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.Settlement;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.internal.store.Unread;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.OneTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Storage whose rows carry their own leases. */
public final class LeasedStore implements RelayStore {
  private static final Logger log = LoggerFactory.getLogger(LeasedStore.class);

  /** How many rows are looked through at a time for those that wait behind others. */
  private static final int BLOCKED_ROWS = 4_000;

  private final Database database;
  private final UUID worker;
  private final ReentrantLock claiming = new ReentrantLock();
  private final LongSupplier nanoTime;
  private final LeasedFloor floor;

  private final Measures measures = new Measures();
  private final HeldClaims held;
  private final AtomicLong lastClaim = new AtomicLong();

  private volatile @Nullable Statements statements;

  public LeasedStore(Database database, UUID worker, LongSupplier nanoTime) {
    this.database = database;
    this.worker = worker;
    this.nanoTime = nanoTime;
    this.floor = new LeasedFloor(nanoTime);
    this.held = new HeldClaims(nanoTime);
  }

  /** What is sent to a table, now that it is known which indexes it has. */
  private record Statements(
      LeasedSql sql,
      ClaimStatements claims,
      ClaimStatements claimsAbove,
      @Nullable BlockedEvents blocked) {

    static Statements of(
        Database database, boolean byKind, boolean asksRelays, LongSupplier nanoTime) {
      LeasedSql sql = new LeasedSql(database.layout(), byKind, asksRelays);
      @Nullable BlockedEvents blocked =
          byKind ? new BlockedEvents(database, sql.deferBehind, nanoTime) : null;
      return new Statements(
          sql,
          new ClaimStatements(request -> NamedSql.of(sql.claim(request))),
          new ClaimStatements(request -> NamedSql.of(sql.claimAbove(request))),
          blocked);
    }
  }

  /** Asks once: whoever adds or drops an index or a table restarts the relays. */
  private Statements statements() {
    Statements known = statements;
    if (known == null) {
      known =
          database.run(
              "look at the indexes of",
              connection ->
                  Statements.of(
                      database,
                      database.hasIndexes(connection, LeasedSql.KINDS),
                      Database.canRead(connection, database.layout().relays()),
                      nanoTime));
      statements = known;
    }
    return known;
  }

  @Override
  public Taken take(ClaimRequest request) {
    return held.claim(this::giveBackAllBut, () -> takeSome(request));
  }

  /** Gives back the events leased in this store's name that it does not hold. */
  private void giveBackAllBut(Map<Long, List<String>> known) {
    Set<String> events = known.values().stream().flatMap(List::stream).collect(toSet());
    Map<String, Long> forgotten =
        database.run("find leases on", connection -> leasedBut(connection, events));
    if (forgotten.isEmpty()) {
      return;
    }
    log.info(
        "gives back {} event(s) of {} whose leases a failure of the database has left behind",
        forgotten.size(),
        database.layout().table());
    try {
      giveBack(List.copyOf(forgotten.keySet()), List.copyOf(forgotten.values()));
    } catch (LeaseLostException e) {
      // Some leases ended meanwhile.
      log.debug("{}", e.getMessage());
    }
  }

  /** The attempts of events that are leased to this store, by their ids. */
  private Map<String, Long> leasedBut(Connection connection, Set<String> known)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(statements().sql.leased)) {
      new Parameters(statement).add(worker).add(known.toArray(String[]::new));
      Map<String, Long> leased = new LinkedHashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          leased.put(row.getString(1), row.getLong(2));
        }
      }
      return leased;
    }
  }

  private Taken takeSome(ClaimRequest request) {
    Statements to = statements();
    if (to.blocked != null) {
      to.blocked.deferSome(request, OptionalLong.empty(), BLOCKED_ROWS);
    }
    claiming.lock();
    try {
      return database.run("claim events of", connection -> take(connection, to, request));
    } finally {
      claiming.unlock();
    }
  }

  private Taken take(Connection connection, Statements sent, ClaimRequest request)
      throws SQLException {
    if (floor.wantsList()) {
      list(connection, sent);
    }
    LeasedFloor.View view = floor.view();
    String text = (view.isBounded() ? sent.claimsAbove : sent.claims).of(request).text();
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(new Parameters(statement), sent, request, view);
      OneTransaction.execute(statement);
      statement.getMoreResults();
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        TableLock.requireLocked(row.getBoolean(3), database.layout());
        held.seen(row.getLong(10));
        List<String> ids = Database.ids(row.getArray(1));
        if (sent.blocked != null) {
          sent.blocked.seen(row.getBoolean(4) && ids.size() < request.batchSize());
        }
        measures.learn(ids.size(), row.getInt(7), row.getInt(8));
        learn(view, row, ids.size());
        return ids.isEmpty() ? Taken.NOTHING : taken(ids, row, request.lease());
      }
    }
  }

  private void list(Connection connection, Statements sent) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sent.sql.list);
        ResultSet row = statement.executeQuery()) {
      row.next();
      String[] running = (String[]) row.getArray(3).getArray();
      floor.list(
          new LeasedFloor.Listing(row.getLong(1), row.getLong(2), Set.copyOf(List.of(running))));
    }
  }

  private void bind(Parameters to, Statements sent, ClaimRequest request, LeasedFloor.View view)
      throws SQLException {
    to.add(request.maxAttempts()).addScope(request);
    if (view.isBounded()) {
      to.add(view.floor());
      to.add(view.epoch()).add(view.listed()).add(view.names()).add(view.times());
      to.add(view.floor()).add(view.since());
    }
    for (int i = sent.sql.scopes(request) - 1; i > 0; i--) {
      to.addScope(request);
    }
    to.add(measures.most())
        .add(worker)
        .add(request.lease().toMillis())
        .add(request.maxAttempts())
        .add(request.batchBytes());
  }

  private void learn(LeasedFloor.View view, ResultSet row, int rows) throws SQLException {
    int read = rows + row.getInt(6);
    LeasedFloor.Sight sight = new LeasedFloor.Sight(read, row.getLong(5));
    if (view.isBounded()) {
      long lowest = row.getLong(11);
      long found = row.wasNull() ? Long.MAX_VALUE : lowest;
      sight =
          new LeasedFloor.Sight(read, row.getLong(5), row.getLong(10), found, row.getBoolean(12));
    }
    if (floor.learn(view, sight)) {
      log.warn(
          "{} has events that are older than the transactions that wrote them, which were claimed"
              + " late: claims look at all rows again, also at the many that cannot be cleaned up"
              + " while a transaction is open. Let the database set their times",
          database.layout().table());
    }
  }

  /** Rows that were taken for these attempts, which are the guards of their leases. */
  private Taken taken(List<String> ids, ResultSet row, Duration lease) throws SQLException {
    List<Long> attempts = List.of((Long[]) row.getArray(2).getArray());
    long claim = lastClaim.incrementAndGet();
    held.add(claim, ids, lease);
    Runnable giveBack =
        () -> {
          held.forget(claim);
          giveBack(ids, attempts);
        };
    return new Unread(database, ids, claim, 0, true, Takeovers.undecided(row, 9), giveBack);
  }

  private void giveBack(List<String> ids, List<Long> attempts) {
    settle(ids.stream().map(Outcome.Released::new).toList(), attempts);
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    if (outcomes.isEmpty()) {
      return;
    }
    Map<String, Long> attempts =
        claim.events().stream()
            .collect(toMap(StoredEvent::id, event -> (long) event.attempt(), (a, b) -> a));
    try {
      settle(
          outcomes,
          outcomes.stream().map(outcome -> attempts.getOrDefault(outcome.id(), -1L)).toList());
      held.settled(claim.token(), outcomes.size());
    } catch (LeaseLostException e) {
      held.settled(claim.token(), outcomes.size());
      throw e;
    }
  }

  private void settle(Collection<? extends Outcome> outcomes, List<Long> guards) {
    Settlement settlement = Settlement.of(outcomes);
    long settled =
        database.run(
            "settle events of",
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(statements().sql.settle)) {
                new Parameters(statement)
                    .add(settlement.ids())
                    .add(guards)
                    .add(settlement.statuses())
                    .add(settlement.delays())
                    .add(settlement.errors())
                    .add(settlement.uncounted())
                    .add(worker)
                    .add(worker);
                OneTransaction.execute(statement);
                statement.getMoreResults();
                try (ResultSet row = statement.getResultSet()) {
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
              try (PreparedStatement statement =
                  connection.prepareStatement(statements().sql.renew)) {
                String[] ids = events.stream().map(StoredEvent::id).toArray(String[]::new);
                new Parameters(statement)
                    .add(lease.toMillis())
                    .add(ids)
                    .add(events.stream().map(event -> (long) event.attempt()).toArray(Long[]::new))
                    .add(ids)
                    .add(worker);
                OneTransaction.execute(statement);
                statement.getMoreResults();
                return statement.getUpdateCount();
              }
            });
    if (renewed == 0) {
      held.lost(claim.token());
      throw lost(events.size());
    }
    held.renewed(claim.token(), lease);
  }

  private LeaseLostException lost(long count) {
    return new LeaseLostException(database.layout().table().toString(), count + " events");
  }
}
