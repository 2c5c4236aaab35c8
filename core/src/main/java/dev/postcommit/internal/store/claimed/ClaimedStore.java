package dev.postcommit.internal.store.claimed;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.Database;
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
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Storage that takes a batch by one record in a table of claims. */
public final class ClaimedStore implements RelayStore {
  private static final Logger log = LoggerFactory.getLogger(ClaimedStore.class);

  /** How often a survey that goes past rows looks whether there is something to claim by now. */
  private static final long LOOK_NANOS = Duration.ofMillis(250).toNanos();

  private final Database database;
  private final ClaimedSql sql;
  private final ClaimStatements claims;
  private final UUID worker;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final Floor floor;
  private final Window window;
  private final Window surveyed;
  private final Bypass bypass = new Bypass();
  private final Passing passing;
  private volatile boolean isPassing;
  private volatile long lookedAt;
  private final BlockedEvents blocked;
  private final HeldClaims held;

  /**
   * A store of a table.
   *
   * @param patience how long one claim may go past rows that cannot be claimed before it comes to
   *     nothing
   */
  public ClaimedStore(
      Database database, ClaimedSql sql, UUID worker, Duration patience, LongSupplier nanoTime) {
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.floor = new Floor(nanoTime);
    this.window = Window.ofClaims(nanoTime);
    this.surveyed = Window.ofSurveys(nanoTime);
    this.lookedAt = nanoTime.getAsLong();
    this.held = new HeldClaims(nanoTime);
    this.database = database;
    this.sql = sql;
    this.passing = new Passing(database);
    this.claims = new ClaimStatements(sql::claim);
    this.worker = worker;
    this.blocked = new BlockedEvents(database, sql.deferBehind, nanoTime);
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
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql.giveBack)) {
                new Parameters(statement).add(worker).add(known.keySet().toArray(Long[]::new));
                return statement.executeUpdate();
              }
            });
    if (count > 0) {
      log.info(
          "gave back {} claim(s) on {} that a failure of the database had left behind",
          count,
          database.layout().table());
    }
  }

  private Taken takeSome(ClaimRequest request) {
    blocked.deferSome(request, OptionalLong.of(floor.seq()), window.rows(request.batchSize()));
    long startedAt = nanoTime.getAsLong();
    Look look;
    do {
      look =
          database.run(
              "claim events of",
              connection -> look(connection, request, window, request.batchBytes()));
    } while (look.goesOn() && nanoTime.getAsLong() - startedAt < patience.toNanos());
    return look.taken();
  }

  /** Whether there are rows of keys that cannot be claimed, so many that to go past them takes. */
  public boolean hasManyToPass() {
    synchronized (floor) {
      return !bypass.keys().isEmpty();
    }
  }

  /** Looks for events as a claim does, and goes past those that cannot be claimed; takes none. */
  public Survey survey(ClaimRequest request) {
    if (isPassing && nanoTime.getAsLong() - lookedAt < LOOK_NANOS) {
      isPassing = pass();
      return new Survey(false, true);
    }
    blocked.deferSome(request, OptionalLong.of(floor.seq()), window.rows(request.batchSize()));
    Look look =
        database.run("look for events of", connection -> look(connection, request, surveyed, 0));
    lookedAt = nanoTime.getAsLong();
    isPassing = look.goesOn();
    return new Survey(look.finds(), look.goesOn());
  }

  /** Goes past some rows; returns whether there are more of the same keys. */
  private boolean pass() {
    Floor.View view;
    Map<String, Long> past;
    synchronized (floor) {
      view = floor.view().above();
      past = bypass.keys();
    }
    if (view.beyond() == 0 || past.isEmpty()) {
      return false;
    }
    Passing.Step step = passing.step(view, past.keySet());
    synchronized (floor) {
      if (step.sight() != null && past.equals(bypass.keys())) {
        floor.learn(view, step.sight());
      }
    }
    return step.goesOn();
  }

  /**
   * What there is to claim.
   *
   * @param finds whether there is anything, as far as it was looked
   * @param goesOn whether there is not, and the next look is at what is further on
   */
  public record Survey(boolean finds, boolean goesOn) {}

  /**
   * What a claim came to.
   *
   * @param finds whether there was something to take
   * @param goesOn whether it took nothing, and the next one looks further on
   */
  private record Look(Taken taken, boolean finds, boolean goesOn) {}

  /**
   * Makes one claim.
   *
   * @param window how many rows it looks at
   * @param bytes as much is taken, and one event more; nothing if it is 0
   */
  private Look look(Connection connection, ClaimRequest request, Window window, long bytes)
      throws SQLException {
    Floor.View view;
    Map<String, Long> past;
    synchronized (floor) {
      view = floor.view();
      past = canGoPast(request) ? bypass.keys() : Map.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(claims.of(request))) {
      Parameters to = new Parameters(statement);
      to.add(view.epoch()).add(view.claim()).addScope(request).addScope(request);
      to.add(request.maxAttempts()).addScope(request);
      to.add(view.looksForAgain()).add(view.stripFrom()).add(view.stripTo());
      to.addScope(request).add(view.epoch()).add(view.claim());
      to.add(view.beyond()).add(past.keySet().toArray(String[]::new));
      to.add(past.values().toArray(Long[]::new));
      to.add(view.epoch()).add(view.ignoredXids()).add(view.ignoredSeqs()).add(view.seq());
      int rows = window.rows(request.batchSize());
      to.addScope(request).add(rows).addScope(request).add(rows);
      to.add(worker).add(request.lease().toMillis()).addScope(request).add(bytes);
      to.add(rows).add(view.ignoredXid()).add(rows).add(view.ignoredXid()).add(rows).add(rows);
      OneTransaction.execute(statement);
      statement.getMoreResults();
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        TableLock.requireLocked(row.getBoolean(11), database.layout());
        long claim = row.getLong(1);
        held.seen(row.getLong(7));
        int seen = row.getInt(8);
        boolean goesPast;
        synchronized (floor) {
          learn(view, past, row, seen < rows);
          goesPast = goPast(request, past, row, rows);
          window.learn(rows, goesPast ? 0 : seen);
        }
        List<String> ids = Database.ids(row.getArray(2));
        blocked.seen(row.getBoolean(12) && seen > row.getInt(10));
        boolean leavesSome = seen != ids.size() || seen != row.getInt(10);
        return claim == 0
            ? new Look(Taken.nothing(leavesSome), row.getBoolean(20), goesPast)
            : new Look(taken(claim, ids, leavesSome, request.lease(), row), true, false);
      }
    }
  }

  /** In a scope of its own a key is not held back by events of others, and without order never. */
  private static boolean canGoPast(ClaimRequest request) {
    return request.ordering() == Ordering.PER_KEY && !request.isScoped();
  }

  private void learn(Floor.View view, Map<String, Long> past, ResultSet row, boolean isReached)
      throws SQLException {
    long lowestLive = row.getLong(3) == 0 ? row.getLong(1) : row.getLong(3);
    floor.learn(
        view,
        new Floor.Sight(
            row.getLong(7),
            lowestLive,
            row.getLong(4),
            row.getLong(5),
            row.getLong(6),
            List.of((Long[]) row.getArray(9).getArray()),
            past.equals(bypass.keys()) ? beyond(row, isReached) : Floor.Beyond.UNKNOWN,
            row.getBoolean(12),
            Duration.ofNanos(1_000 * row.getLong(18))));
  }

  private static Floor.Beyond beyond(ResultSet row, boolean isReached) throws SQLException {
    return new Floor.Beyond(row.getLong(14), row.getLong(15), isReached);
  }

  /**
   * Learns which keys have many rows; returns whether all rows that were looked at are of keys that
   * the next claims go past, so that these need not look at more.
   */
  private boolean goPast(ClaimRequest request, Map<String, Long> past, ResultSet row, int rows)
      throws SQLException {
    if (!canGoPast(request) || !past.equals(bypass.keys())) {
      return false;
    }
    int seen = row.getInt(8);
    boolean isExhausted = seen >= rows;
    boolean holds = row.getBoolean(13);
    boolean isWhole = seen >= 0 && !isExhausted;
    if (bypass.learn(holds, isExhausted, isWhole, isExhausted ? hot(row) : Map.of())) {
      floor.forgetBeyond();
    }
    boolean hasLearnt = !past.equals(bypass.keys());
    return isExhausted && (hasLearnt || (holds && row.getLong(14) == 0));
  }

  private static Map<String, Long> hot(ResultSet row) throws SQLException {
    String[] keys = (String[]) row.getArray(16).getArray();
    Long[] lowest = (Long[]) row.getArray(17).getArray();
    Map<String, Long> hot = new LinkedHashMap<>();
    for (int i = 0; i < keys.length; i++) {
      hot.put(keys[i], lowest[i]);
    }
    return hot;
  }

  private Taken taken(
      long claim, List<String> ids, boolean leavesSome, Duration lease, ResultSet row)
      throws SQLException {
    held.add(claim, ids, lease);
    Duration undecided = Takeovers.undecided(row, 19);
    return new Unread(database, ids, claim, 1, leavesSome, undecided, () -> giveBack(claim, ids));
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

  private void settle(long claim, Collection<? extends Outcome> outcomes, String statementText) {
    Settlement settlement = Settlement.of(outcomes);
    Settlement failed = settlement.failed();
    long found =
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
                OneTransaction.execute(statement);
                statement.getMoreResults();
                try (ResultSet row = statement.getResultSet()) {
                  row.next();
                  return row.getLong(1);
                }
              }
            });
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
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql.renew)) {
                new Parameters(statement).add(lease.toMillis()).add(claim.token()).add(worker);
                return statement.executeUpdate();
              }
            });
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
