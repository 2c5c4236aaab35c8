package dev.postcommit.internal.store.leased;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.OneTransaction;
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

  private final MeasuringLimit measuring = new MeasuringLimit();
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

  /** What tells a lease on an event from others of this store: see {@link LeaseNumber}. */
  private record Lease(long attempt, long number) {
    static final Lease NONE = new Lease(-1, -1);
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
    Map<String, Lease> forgotten =
        database.run("find leases on", connection -> leasedBut(connection, events));
    if (forgotten.isEmpty()) {
      return;
    }
    log.info(
        "gives back {} event(s) of {} whose leases a failure of the database has left behind",
        forgotten.size(),
        database.layout().table());
    try {
      giveBack(forgotten);
    } catch (LeaseLostException e) {
      // Some leases ended meanwhile.
      log.debug("{}", e.getMessage());
    }
  }

  /** The leases of this store, by the ids of their events. */
  private Map<String, Lease> leasedBut(Connection connection, Set<String> known)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(statements().sql.leased)) {
      new Parameters(statement).add(worker).add(known.toArray(String[]::new));
      Map<String, Lease> leased = new LinkedHashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          leased.put(row.getString("id"), new Lease(row.getLong("attempt"), row.getLong("lease")));
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
    long claim = lastClaim.incrementAndGet();
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(new Parameters(statement), sent, request, view, claim);
      OneTransaction.execute(statement);
      statement.getMoreResults();
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        TableLock.requireLocked(row.getBoolean("is_locked"), database.layout());
        held.seen(row.getLong("epoch"));
        List<String> ids = Database.ids(row.getArray("ids"));
        if (sent.blocked != null) {
          sent.blocked.seen(row.getBoolean("waiting_exist") && ids.size() < request.batchSize());
        }
        measuring.learn(ids.size(), row.getInt("measured"), row.getInt("not_measured"));
        learn(view, row, ids.size());
        return ids.isEmpty() ? Taken.NOTHING : taken(claim, ids, row, request.lease());
      }
    }
  }

  private void list(Connection connection, Statements sent) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sent.sql.list);
        ResultSet row = statement.executeQuery()) {
      row.next();
      Set<String> running = Set.copyOf(List.of((String[]) row.getArray("running").getArray()));
      floor.list(new LeasedFloor.Listing(row.getLong("epoch"), row.getLong("micros"), running));
    }
  }

  private void bind(
      Parameters to, Statements sent, ClaimRequest request, LeasedFloor.View view, long claim)
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
    to.add(measuring.current())
        .add(worker)
        .add(LeaseNumber.microseconds(request.lease(), LeaseNumber.of(claim)))
        .add(request.maxAttempts())
        .add(request.batchBytes());
  }

  private void learn(LeasedFloor.View view, ResultSet row, int rows) throws SQLException {
    int read = rows + row.getInt("busy_rows");
    long pages = row.getLong("pages");
    LeasedFloor.Sight sight = new LeasedFloor.Sight(read, pages);
    if (view.isBounded()) {
      long lowest = row.getLong("lowest");
      long oldest = row.wasNull() ? Long.MAX_VALUE : lowest;
      boolean hasEnded = row.getBoolean("has_ended");
      sight = new LeasedFloor.Sight(read, pages, row.getLong("epoch"), oldest, hasEnded);
    }
    if (floor.learn(view, sight)) {
      log.warn(
          "{} has events that are older than the transactions that wrote them, which were claimed"
              + " late: claims look at all rows again, also at the many that cannot be cleaned up"
              + " while a transaction is open. Let the database set their times",
          database.layout().table());
    }
  }

  private Taken taken(long claim, List<String> ids, ResultSet row, Duration lease)
      throws SQLException {
    Long[] attempts = (Long[]) row.getArray("attempts").getArray();
    Map<String, Lease> leases = new LinkedHashMap<>();
    for (int i = 0; i < attempts.length; i++) {
      leases.put(ids.get(i), new Lease(attempts[i], LeaseNumber.of(claim)));
    }
    held.add(claim, ids, lease);
    Runnable giveBack =
        () -> {
          held.forget(claim);
          giveBack(leases);
        };
    return new Unread(
        database,
        ids,
        claim,
        0,
        true,
        Takeovers.undecided(row, row.findColumn("undecided")),
        giveBack);
  }

  private void giveBack(Map<String, Lease> leases) {
    settle(leases.keySet().stream().map(Outcome.Released::new).toList(), leases);
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    if (outcomes.isEmpty()) {
      return;
    }
    Map<String, Lease> leases =
        claim.events().stream()
            .collect(
                toMap(
                    StoredEvent::id,
                    event -> new Lease(event.attempt(), LeaseNumber.of(claim.token())),
                    (a, b) -> a));
    try {
      settle(outcomes, leases);
      held.settled(claim.token(), outcomes.size());
    } catch (LeaseLostException e) {
      held.settled(claim.token(), outcomes.size());
      throw e;
    }
  }

  private void settle(Collection<? extends Outcome> outcomes, Map<String, Lease> under) {
    Settlement settlement = Settlement.of(outcomes);
    List<Lease> leases =
        outcomes.stream().map(outcome -> under.getOrDefault(outcome.id(), Lease.NONE)).toList();
    long settled =
        database.run(
            "settle events of",
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(statements().sql.settle)) {
                new Parameters(statement)
                    .add(settlement.ids())
                    .add(leases.stream().map(Lease::attempt).toList())
                    .add(leases.stream().map(Lease::number).toList())
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
                  return row.getLong("settled");
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
                long number = LeaseNumber.of(claim.token());
                new Parameters(statement)
                    .add(LeaseNumber.microseconds(lease, number))
                    .add(ids)
                    .add(events.stream().map(event -> (long) event.attempt()).toArray(Long[]::new))
                    .add(ids)
                    .add(worker)
                    .add(number);
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
