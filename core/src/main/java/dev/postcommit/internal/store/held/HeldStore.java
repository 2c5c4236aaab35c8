package dev.postcommit.internal.store.held;

import dev.postcommit.Ordering;
import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.jdbc.RecordedErrors;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.Settlement;
import dev.postcommit.internal.store.held.Backlog.Candidate;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Storage that takes a batch by locking its rows, in a transaction that stays open until the batch
 * is settled.
 *
 * <p>Order per key rests on the row locks alone. The backlog is listed in the order of writing; a
 * row of it that cannot be locked, because another relay holds it or has settled it since, closes
 * its key for as long as the list is used. So an event is taken only together with, or after, every
 * earlier event of its key that was there to be delivered.
 */
public final class HeldStore implements RelayStore {
  private static final String NO_CONNECTION =
      "get a connection, of which it takes one for each batch in flight and one more, for events of";

  private final Database database;
  private final HeldSql sql;
  private final HoldSql holdSql;
  private final BacklogReader backlog;
  private final ListingLock listingLock;
  private final LongSupplier nanoTime;
  private final PendingRows pending;
  private final Map<Long, Hold> holds = new ConcurrentHashMap<>();
  private final AtomicLong tokens = new AtomicLong();
  private final ReentrantLock claiming = new ReentrantLock();

  public HeldStore(Database database, LongSupplier nanoTime) {
    this.database = database;
    this.nanoTime = nanoTime;
    this.pending = new PendingRows(nanoTime);
    this.sql = new HeldSql(database.layout());
    this.holdSql = new HoldSql(database.layout());
    this.backlog = new BacklogReader(database, sql, pending, nanoTime);
    this.listingLock = new ListingLock(database, sql, nanoTime);
  }

  @Override
  public Taken take(ClaimRequest request) {
    claiming.lock();
    try {
      holds.forEach(this::dropIfOver);
      boolean mayRepeat = listingLock.isMine();
      while (true) {
        try {
          return tryTake(request);
        } catch (SQLException e) {
          pending.forget();
          listingLock.release();
          // The server ends the transaction of the lock when that was idle for too long.
          if (!mayRepeat || !Database.isSessionLost(e)) {
            throw database.failure("claim events of", e);
          }
          mayRepeat = false;
        }
      }
    } finally {
      claiming.unlock();
    }
  }

  /** Frees a claim that was not renewed or settled in time. */
  private void dropIfOver(long token, Hold hold) {
    if (hold.isOver() && holds.remove(token, hold)) {
      drop(hold);
    }
  }

  private Taken tryTake(ClaimRequest request) throws SQLException {
    @Nullable Connection lister = null;
    if (request.ordering() == Ordering.PER_KEY && !request.isScoped()) {
      lister = listingLock.take(request.lease());
      if (lister == null) {
        return Taken.NOTHING;
      }
    }
    boolean old = pending.isOld(request);
    if (old) {
      backlog.list(lister, request);
    }
    List<Candidate> taken = backlog.take(lister, request);
    if (taken.isEmpty() && !old && pending.mayList(request)) {
      backlog.list(lister, request);
      taken = backlog.take(lister, request);
    }
    if (taken.isEmpty()) {
      releaseLockIfIdle();
      return Taken.NOTHING;
    }
    List<Candidate> chosen = taken;
    return new Taken(
        chosen.size(), () -> read(request, chosen), OptionalLong.empty(), true, Duration.ZERO);
  }

  /** Locks events of the backlog, and reads them. */
  private Claim read(ClaimRequest request, List<Candidate> candidates) {
    try {
      Hold hold = lock(candidates, request);
      if (hold == null) {
        return Claim.EMPTY;
      }
      long token = tokens.incrementAndGet();
      holds.put(token, hold);
      return new Claim(token, hold.unsettled());
    } catch (SQLException e) {
      throw database.failure(
          e instanceof SQLTransientConnectionException ? NO_CONNECTION : "lock events of", e);
    }
  }

  /** Locks and reads events; null if none of them could be locked. */
  private @Nullable Hold lock(List<Candidate> taken, ClaimRequest request) throws SQLException {
    @Nullable Connection connection = null;
    Locked locked;
    try {
      connection = database.open();
      locked = read(connection, taken, request);
    } catch (SQLException | RuntimeException e) {
      pending.abandon(taken);
      if (connection != null) {
        Database.end(connection);
      }
      throw e;
    }
    List<StoredEvent> kept = pending.keep(request, taken, locked.events());
    Hold hold =
        new Hold(connection, sql, holdSql, kept, locked.failedBefore(), request.lease(), nanoTime);
    try {
      if (kept.isEmpty() || hold.settle(exhausted(kept, request))) {
        end(hold);
        return null;
      }
      return hold;
    } catch (SQLException e) {
      drop(hold);
      throw e;
    }
  }

  /** Gives up on events that have no attempt left. */
  private static Settlement exhausted(List<StoredEvent> events, ClaimRequest request) {
    return Settlement.of(
        events.stream()
            .filter(event -> event.attempt() > request.maxAttempts())
            .map(event -> new Outcome.Dead(event.id(), RecordedErrors.EXHAUSTED))
            .toList());
  }

  /**
   * Rows that were locked.
   *
   * @param failedBefore the ids of those that have a row in the table of failures
   */
  private record Locked(Map<String, StoredEvent> events, Set<String> failedBefore) {}

  private Locked read(Connection connection, List<Candidate> taken, ClaimRequest request)
      throws SQLException {
    String[] ids = taken.stream().map(Candidate::id).toArray(String[]::new);
    Map<String, StoredEvent> events = new HashMap<>();
    Set<String> failedBefore = new HashSet<>();
    try (NamedStatement statement = sql.lock.prepare(connection)) {
      HeldSql.bounds(statement, request.lease()).set("count", ids.length).set("ids", ids);
      try (ResultSet rows = statement.query(1)) {
        while (rows.next()) {
          StoredEvent event = database.reader().read(rows, 1);
          events.put(event.id(), event);
        }
      }
      if (holdSql.remember.isPresent()) {
        try (ResultSet rows = statement.nextPart()) {
          while (rows.next()) {
            String id = rows.getString("event");
            if (rows.getBoolean("is_deferred")) {
              events.remove(id);
            } else {
              failedBefore.add(id);
            }
          }
        }
      }
    }
    return new Locked(events, failedBefore);
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    if (outcomes.isEmpty()) {
      return;
    }
    Hold hold = holds.get(claim.token());
    Settlement settlement = Settlement.of(outcomes);
    if (hold == null || !hold.holds(List.of(settlement.ids()))) {
      throw lost(outcomes.size());
    }
    try {
      // Only one thread removes the claim, and it ends the hold.
      if (hold.settle(settlement) && holds.remove(claim.token(), hold)) {
        end(hold);
      }
    } catch (SQLException e) {
      throw broken(claim, hold, "settle events of", e);
    }
  }

  /** Frees what a settled claim kept. */
  private void end(Hold hold) {
    hold.end();
    pending.ended(hold.events(), hold.keysToClose(), hold.hasReleased());
    if (claiming.tryLock()) {
      try {
        releaseLockIfIdle();
      } finally {
        claiming.unlock();
      }
    }
  }

  private void releaseLockIfIdle() {
    if (pending.isIdle()) {
      listingLock.release();
    }
  }

  @Override
  public void renew(Claim claim, Duration lease) {
    Hold hold = holds.get(claim.token());
    if (hold == null) {
      throw lost(claim.events().size());
    }
    try {
      hold.renew(lease);
    } catch (SQLException e) {
      throw broken(claim, hold, "hold events of", e);
    }
    try {
      listingLock.touch(lease);
    } catch (SQLException e) {
      listingLock.release();
    }
  }

  /** Gives a claim up whose transaction cannot be used any more, so its rows are free. */
  private PostcommitException broken(Claim claim, Hold hold, String what, SQLException e) {
    if (holds.remove(claim.token(), hold)) {
      drop(hold);
    }
    return Database.isSessionLost(e) ? lost(claim.events().size()) : database.failure(what, e);
  }

  private void drop(Hold hold) {
    hold.end();
    Map<String, Duration> keys = new HashMap<>();
    for (StoredEvent event : hold.events()) {
      if (event.key() != null) {
        keys.put(event.key(), Duration.ZERO);
      }
    }
    pending.ended(hold.events(), keys, true);
  }

  @Override
  public void releaseIdle() {
    claiming.lock();
    try {
      pending.forget();
      listingLock.release();
    } finally {
      claiming.unlock();
    }
  }

  @Override
  public void close() {
    holds.values().forEach(Hold::end);
    holds.clear();
    listingLock.release();
  }

  private LeaseLostException lost(long count) {
    return new LeaseLostException(database.layout().table().toString(), count + " events");
  }
}
