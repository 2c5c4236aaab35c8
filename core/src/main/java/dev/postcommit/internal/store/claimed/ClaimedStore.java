package dev.postcommit.internal.store.claimed;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.store.BlockedEvents;
import dev.postcommit.internal.store.ClaimStatements;
import dev.postcommit.internal.store.HeldClaims;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.Settlement;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Storage that takes a batch by inserting one record into a table of claims. */
public final class ClaimedStore implements RelayStore {
  private static final Logger log = LoggerFactory.getLogger(ClaimedStore.class);

  /** How often a survey that skips rows checks whether there is something to claim by now. */
  private static final long CHECK_NANOS = Duration.ofMillis(250).toNanos();

  private final Database database;
  private final ClaimStatements claims;
  private final SettleSql sql;
  private final HotKeyScan hotKeyScan;
  private final UUID worker;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final ScanPosition position;
  private final ScanLimit claimLimit;
  private final ScanLimit surveyLimit;
  private final BlockedEvents blocked;
  private final HeldClaims held;
  private volatile boolean isSkipping;
  private volatile long checkedAt;

  /**
   * A store of a table.
   *
   * @param cursor that of the log whose diverted events are in the table, if there is one
   * @param patience how long one claim may skip rows that cannot be claimed before it comes to
   *     nothing
   */
  public ClaimedStore(
      Database database,
      Optional<TableName> cursor,
      UUID worker,
      Duration patience,
      LongSupplier nanoTime) {
    this.database = database;
    this.claims = new ClaimStatements(new ClaimSql(database.layout(), cursor)::claim);
    this.sql = new SettleSql(database.layout());
    this.hotKeyScan = new HotKeyScan(database);
    this.worker = worker;
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.position = new ScanPosition(nanoTime);
    this.claimLimit = ScanLimit.ofClaims(nanoTime);
    this.surveyLimit = ScanLimit.ofSurveys(nanoTime);
    this.blocked = new BlockedEvents(database, sql.deferBehind, nanoTime);
    this.held = new HeldClaims(nanoTime);
    this.checkedAt = nanoTime.getAsLong();
  }

  @Override
  public Taken take(ClaimRequest request) {
    return held.claim(this::giveBackAllBut, () -> takeSome(request));
  }

  /** Gives back the claims in this store's name that it does not hold. */
  private void giveBackAllBut(Map<Long, List<String>> known) {
    int count =
        database.run(
            "give back claims on",
            sql.giveBack,
            to -> to.set("owner", worker).setNumbers("kept", known.keySet()).update());
    if (count > 0) {
      log.info(
          "gave back {} claim(s) on {} that a failure of the database had left behind",
          count,
          database.layout().table());
    }
  }

  private Taken takeSome(ClaimRequest request) {
    deferBlocked(request);
    long startedAt = nanoTime.getAsLong();
    Attempt attempt;
    do {
      attempt = attempt("claim events of", request, claimLimit, request.batchBytes());
    } while (attempt.goesOn() && nanoTime.getAsLong() - startedAt < patience.toNanos());
    return attempt.taken();
  }

  private void deferBlocked(ClaimRequest request) {
    int rows = claimLimit.rows(request.batchSize());
    blocked.deferSome(request, OptionalLong.of(position.floor()), rows);
  }

  /** Whether there are hot keys: so many rows that cannot be claimed that skipping them takes. */
  public boolean hasManyToPass() {
    return position.hasHotKeys();
  }

  /** Searches for events as a claim does, and skips those that cannot be claimed; takes none. */
  public Survey survey(ClaimRequest request) {
    if (isSkipping && nanoTime.getAsLong() - checkedAt < CHECK_NANOS) {
      isSkipping = skip();
      return new Survey(false, true);
    }
    deferBlocked(request);
    Attempt attempt = attempt("search for events of", request, surveyLimit, 0);
    checkedAt = nanoTime.getAsLong();
    isSkipping = attempt.goesOn();
    return new Survey(attempt.finds(), attempt.goesOn());
  }

  /** Skips some rows; returns whether there are more of the same keys. */
  private boolean skip() {
    ScanPosition.Start start = position.ofHotKeys();
    if (start == null) {
      return false;
    }
    HotKeyScan.Step step = hotKeyScan.step(start);
    if (step.seen() != null) {
      position.learn(start, step.seen());
    }
    return step.goesOn();
  }

  /**
   * What there is to claim.
   *
   * @param finds whether there is anything, as far as rows were scanned
   * @param goesOn whether there is not, and the next survey scans what is further on
   */
  public record Survey(boolean finds, boolean goesOn) {}

  /**
   * What a claim came to.
   *
   * @param finds whether there was something to take
   * @param goesOn whether it took nothing, and the next one scans what is further on
   */
  private record Attempt(Taken taken, boolean finds, boolean goesOn) {}

  /**
   * Makes one claim.
   *
   * @param limit how many rows it scans
   * @param bytes as much is taken, and one event more; nothing if it is 0
   */
  private Attempt attempt(String what, ClaimRequest request, ScanLimit limit, long bytes) {
    ScanPosition.Start start = position.of(request);
    int rows = limit.rows(request.batchSize());
    ClaimRow row =
        database.run(
            what,
            claims.of(request),
            to -> bind(to, request, start, rows, bytes).row(read -> ClaimRow.read(read, rows)));
    TableLock.requireLocked(row.isLocked(), database.layout());
    held.seen(row.seen().epoch());
    boolean skipsAll = position.learn(request, start, row, rows);
    limit.learn(rows, skipsAll ? 0 : row.scanned());
    blocked.seen(row.seen().tried() && row.scanned() > row.ready());
    boolean leavesSome = row.scanned() != row.ids().size() || row.scanned() != row.ready();
    return row.claim() == 0
        ? new Attempt(Taken.nothing(leavesSome), row.finds(), skipsAll)
        : new Attempt(taken(row, leavesSome, request.lease()), true, false);
  }

  private NamedStatement bind(
      NamedStatement to, ClaimRequest request, ScanPosition.Start start, int rows, long bytes)
      throws SQLException {
    Floor.Bounds bounds = start.bounds();
    return to.setScope(request)
        .set("owner", worker)
        .set("lease_millis", request.lease().toMillis())
        .set("max_attempts", request.maxAttempts())
        .set("bytes", bytes)
        .set("rows", rows)
        .set("epoch", bounds.epoch())
        .set("floor", bounds.seq())
        .set("beyond", bounds.beyond())
        .set("claim_floor", bounds.claim())
        .set("looks_for_again", bounds.looksForAgain())
        .set("strip_from", bounds.stripFrom())
        .set("strip_to", bounds.stripTo())
        .set("ignored_xid", bounds.ignoredXid())
        .setNumbers("ignored_xids", bounds.ignoredXids())
        .setNumbers("ignored_seqs", bounds.ignoredSeqs())
        .setTexts("hot_keys", start.hotKeys().keySet())
        .setNumbers("hot_lowest", start.hotKeys().values());
  }

  private Taken taken(ClaimRow row, boolean leavesSome, Duration lease) {
    long claim = row.claim();
    held.add(claim, row.ids(), lease);
    return Taken.rows(
        database,
        row.ids(),
        claim,
        1,
        leavesSome,
        row.undecided(),
        () -> giveBack(claim, row.ids()));
  }

  private void giveBack(long claim, List<String> ids) {
    held.forget(claim);
    settle(claim, ids.stream().map(Outcome.Released::new).toList(), sql.settleAll);
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    if (!outcomes.isEmpty()) {
      boolean all = outcomes.size() == claim.events().size();
      settle(claim.token(), outcomes, all ? sql.settleAll : sql.settleSome);
    }
  }

  private void settle(long claim, Collection<? extends Outcome> outcomes, NamedSql statement) {
    Settlement settlement = Settlement.of(outcomes);
    Settlement failed = settlement.failed();
    long found =
        database.run(
            "settle events of",
            statement,
            to ->
                to.set("claim", claim)
                    .set("owner", worker)
                    .set("settled", settlement.ids())
                    .set("delivered", settlement.delivered().ids())
                    .set("failed", failed.ids())
                    .set("statuses", failed.statuses())
                    .set("delays", failed.delays())
                    .set("errors", failed.errors())
                    .set("uncounted", failed.uncounted())
                    .row(row -> row.getLong("held")));
    if (found == 0) {
      throw lost(claim);
    }
    held.settled(claim, outcomes.size());
  }

  @Override
  public void renew(Claim claim, Duration lease) {
    int found =
        database.run(
            "renew a claim on",
            sql.renew,
            to ->
                to.set("lease_millis", lease.toMillis())
                    .set("claim", claim.token())
                    .set("owner", worker)
                    .update());
    if (found == 0) {
      throw lost(claim.token());
    }
    held.renewed(claim.token(), lease);
  }

  private LeaseLostException lost(long claim) {
    held.lost(claim);
    return new LeaseLostException(database.layout().table().toString(), "claim " + claim);
  }
}
