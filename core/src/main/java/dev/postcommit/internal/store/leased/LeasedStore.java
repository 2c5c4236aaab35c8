package dev.postcommit.internal.store.leased;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.store.BlockedEvents;
import dev.postcommit.internal.store.ClaimStatements;
import dev.postcommit.internal.store.HeldClaims;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.Settlement;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.internal.store.leased.LeasedFloor.Listing;
import dev.postcommit.internal.store.leased.LeasedFloor.Sight;
import dev.postcommit.internal.store.leased.LeasedFloor.View;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.sql.Connection;
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

  /** How many rows are scanned at a time for those that wait behind others. */
  private static final int BLOCKED_ROWS = 4_000;

  private final Database database;
  private final UUID worker;
  private final ReentrantLock claiming = new ReentrantLock();
  private final LongSupplier nanoTime;
  private final LeasedSettleSql sql;
  private final LeasedFloor floor;
  private final MeasuringLimit measuring = new MeasuringLimit();
  private final HeldClaims held;
  private final AtomicLong lastClaim = new AtomicLong();
  private volatile @Nullable Statements statements;

  public LeasedStore(Database database, UUID worker, LongSupplier nanoTime) {
    this.database = database;
    this.worker = worker;
    this.nanoTime = nanoTime;
    this.sql = new LeasedSettleSql(database.layout());
    this.floor = new LeasedFloor(nanoTime);
    this.held = new HeldClaims(nanoTime);
  }

  /** Identifies a lease on an event among those of this store: see {@link LeaseNumber}. */
  private record Lease(long attempt, long number) {
    static final Lease NONE = new Lease(-1, -1);

    static Lease read(ResultSet row) throws SQLException {
      return new Lease(row.getLong("attempt"), row.getLong("lease"));
    }
  }

  /** What depends on the indexes and tables that there are. */
  private record Statements(
      NamedSql list,
      ClaimStatements claims,
      ClaimStatements claimsAbove,
      @Nullable BlockedEvents blocked) {}

  /** Read once: relays must be restarted after an index or a table was added or dropped. */
  private Statements statements() {
    Statements known = statements;
    if (known == null) {
      known = database.run("look at the indexes of", this::statements);
      statements = known;
    }
    return known;
  }

  private Statements statements(Connection connection) throws SQLException {
    boolean byKind = database.hasIndexes(connection, LeasedSql.KINDS);
    boolean asksRelays = Database.canRead(connection, database.layout().relays());
    LeasedSql claims = new LeasedSql(database.layout(), byKind, asksRelays);
    return new Statements(
        claims.list,
        new ClaimStatements(claims::claim),
        new ClaimStatements(claims::claimAbove),
        byKind ? new BlockedEvents(database, sql.deferBehind, nanoTime) : null);
  }

  @Override
  public Taken take(ClaimRequest request) {
    return held.claim(this::giveBackAllBut, () -> takeSome(request));
  }

  /** Gives back the events leased in this store's name that it does not hold. */
  private void giveBackAllBut(Map<Long, List<String>> known) {
    Set<String> events = known.values().stream().flatMap(List::stream).collect(toSet());
    Map<String, Lease> forgotten = new LinkedHashMap<>();
    database.run(
        "find leases on",
        sql.leased,
        to ->
            to.set("holder", worker)
                .setTexts("known", events)
                .forEach(row -> forgotten.put(row.getString("id"), Lease.read(row))));
    if (forgotten.isEmpty()) {
      return;
    }
    log.info(
        "gives back {} event(s) of {} whose leases a failure of the database left behind",
        forgotten.size(),
        database.layout().table());
    try {
      giveBack(forgotten);
    } catch (LeaseLostException e) {
      // Some leases ended meanwhile.
      log.debug("{}", e.getMessage());
    }
  }

  private Taken takeSome(ClaimRequest request) {
    Statements to = statements();
    if (to.blocked != null) {
      to.blocked.deferSome(request, OptionalLong.empty(), BLOCKED_ROWS);
    }
    claiming.lock();
    try {
      return take(to, request);
    } finally {
      claiming.unlock();
    }
  }

  private Taken take(Statements sent, ClaimRequest request) {
    if (floor.wantsList()) {
      floor.list(database.run("list transactions for", sent.list, to -> to.row(Listing::read)));
    }
    View view = floor.view();
    long claim = lastClaim.incrementAndGet();
    return database.run(
        "claim events of",
        (view.isBounded() ? sent.claimsAbove : sent.claims).of(request),
        to -> bind(to, request, view, claim).row(row -> taken(sent, request, view, claim, row)));
  }

  private NamedStatement bind(NamedStatement to, ClaimRequest request, View view, long claim)
      throws SQLException {
    if (view.isBounded()) {
      to.set("floor_epoch", view.epoch())
          .set("listed", view.listed())
          .set("watched", view.names())
          .setNumbers("watched_since", view.times())
          .set("floor", view.floor())
          .set("since", view.since());
    }
    return to.setScope(request)
        .set("holder", worker)
        .set("lease_micros", LeaseNumber.microseconds(request.lease(), LeaseNumber.of(claim)))
        .set("max_attempts", request.maxAttempts())
        .set("most_measured", measuring.current())
        .set("bytes", request.batchBytes());
  }

  private Taken taken(Statements sent, ClaimRequest request, View view, long claim, ResultSet row)
      throws SQLException {
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

  private void learn(View view, ResultSet row, int rows) throws SQLException {
    int read = rows + row.getInt("busy_rows");
    Sight sight = view.isBounded() ? Sight.read(row, read) : new Sight(read, row.getLong("pages"));
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
    return Taken.rows(
        database, ids, claim, 0, true, Takeovers.undecided(row, "undecided"), giveBack);
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
            sql.settle,
            to ->
                to.set("ids", settlement.ids())
                    .setNumbers("attempts", leases.stream().map(Lease::attempt).toList())
                    .setNumbers("leases", leases.stream().map(Lease::number).toList())
                    .set("statuses", settlement.statuses())
                    .set("delays", settlement.delays())
                    .set("errors", settlement.errors())
                    .set("uncounted", settlement.uncounted())
                    .set("holder", worker)
                    .row(row -> row.getLong("settled")));
    if (settled < outcomes.size()) {
      throw lost(outcomes.size() - settled);
    }
  }

  @Override
  public void renew(Claim claim, Duration lease) {
    List<StoredEvent> events = claim.events();
    long number = LeaseNumber.of(claim.token());
    int renewed =
        database.run(
            "renew leases on",
            sql.renew,
            to ->
                to.set("lease_micros", LeaseNumber.microseconds(lease, number))
                    .setTexts("ids", events.stream().map(StoredEvent::id).toList())
                    .setNumbers("attempts", events.stream().map(e -> (long) e.attempt()).toList())
                    .set("holder", worker)
                    .set("lease", number)
                    .update());
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
