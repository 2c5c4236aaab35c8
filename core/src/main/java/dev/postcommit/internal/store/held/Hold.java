package dev.postcommit.internal.store.held;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.store.Settlement;
import dev.postcommit.internal.store.Settlement.Line;
import dev.postcommit.store.StoredEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that holds the rows of one claim. Its methods exclude each other, since leases are
 * renewed from another thread than the one that settles.
 */
final class Hold {
  private final Connection connection;
  private final HeldSql heldSql;
  private final HoldSql sql;
  private final List<StoredEvent> events;
  private final Set<String> failedBefore;
  private final LongSupplier nanoTime;
  private long bound;
  private long touchedAt;
  private final Map<String, StoredEvent> unsettled = new HashMap<>();
  private final Map<String, Duration> keysToClose = new HashMap<>();
  private final Set<String> waitingKeys = new HashSet<>();
  private final Set<@Nullable String> releasedKeys = new HashSet<>();

  /**
   * A claim on rows that are locked.
   *
   * @param failedBefore the ids of those that have a row in the table of failures
   */
  Hold(
      Connection connection,
      HeldSql heldSql,
      HoldSql sql,
      List<StoredEvent> events,
      Set<String> failedBefore,
      Duration bound,
      LongSupplier nanoTime) {
    this.failedBefore = failedBefore;
    this.nanoTime = nanoTime;
    this.touchedAt = nanoTime.getAsLong();
    this.connection = connection;
    this.bound = bound.toNanos();
    this.heldSql = heldSql;
    this.sql = sql;
    this.events = events;
    events.forEach(event -> unsettled.put(event.id(), event));
  }

  /** All events of the claim. */
  List<StoredEvent> events() {
    return events;
  }

  /** The events that are held and not settled, in order. */
  synchronized List<StoredEvent> unsettled() {
    return events.stream().filter(event -> unsettled.containsKey(event.id())).toList();
  }

  /**
   * The keys of events that are still to be delivered, now that the claim is settled, and when the
   * last of each is due.
   */
  synchronized Map<String, Duration> keysToClose() {
    return keysToClose;
  }

  /** Whether any event went back untried, and not because it follows one that waits. */
  synchronized boolean hasReleased() {
    return !waitingKeys.containsAll(releasedKeys);
  }

  /** Whether all of these events are held and not settled. */
  synchronized boolean holds(Collection<String> ids) {
    return unsettled.keySet().containsAll(ids);
  }

  /** Records outcomes, and commits if they were the last; returns whether they were. */
  synchronized boolean settle(Settlement settlement) throws SQLException {
    deliver(settlement.delivered());
    fail(settlement.failed());
    for (Line line : settlement.lines()) {
      StoredEvent event = unsettled.remove(line.id());
      @Nullable String key = event == null ? null : event.key();
      if (line.isReleased()) {
        releasedKeys.add(key);
      }
      if (key != null && line.status().equals("pending")) {
        long millis = line.delay() == null ? 0 : line.delay();
        keysToClose.merge(
            key, Duration.ofMillis(millis), (one, other) -> one.compareTo(other) < 0 ? other : one);
        if (!line.isReleased()) {
          waitingKeys.add(key);
        }
      }
    }
    if (!unsettled.isEmpty()) {
      return false;
    }
    connection.commit();
    return true;
  }

  private void deliver(Settlement delivered) throws SQLException {
    update(Optional.of(sql.deliver), delivered.ids());
    update(sql.forgetHeaders, delivered.ids());
    update(sql.forgetFailures, delivered.only(line -> failedBefore.contains(line.id())).ids());
  }

  private void fail(Settlement failed) throws SQLException {
    if (failed.lines().isEmpty()) {
      return;
    }
    if (sql.fail.isPresent()) {
      sql.fail
          .get()
          .run(connection, to -> bind(to, failed).set("uncounted", failed.uncounted()).update());
    }
    if (sql.remember.isPresent()) {
      sql.remember
          .get()
          .run(
              connection,
              to ->
                  bind(to, failed)
                      .set("keys", failed.lines().stream().map(this::key).toArray(String[]::new))
                      .setNumbers("attempts", failed.lines().stream().map(this::counted).toList())
                      .update());
    }
  }

  private static NamedStatement bind(NamedStatement statement, Settlement failed)
      throws SQLException {
    return statement
        .set("ids", failed.ids())
        .set("dead", failed.lines().stream().map(Line::isDead).toArray(Boolean[]::new))
        .set("delays", failed.delays())
        .set("errors", failed.errors());
  }

  /** The attempts of an event, with this one if it counts. */
  private long counted(Line line) {
    StoredEvent event = unsettled.get(line.id());
    long attempt = event == null ? 0 : event.attempt();
    return line.counts() ? attempt : attempt - 1;
  }

  private @Nullable String key(Line line) {
    StoredEvent event = unsettled.get(line.id());
    return event == null ? null : event.key();
  }

  private void update(Optional<NamedSql> text, String[] ids) throws SQLException {
    if (text.isPresent() && ids.length > 0) {
      text.get().run(connection, to -> to.set("ids", ids).update());
    }
  }

  /** Holds the rows for another while. */
  synchronized void renew(Duration time) throws SQLException {
    heldSql.bound(connection, time);
    bound = time.toNanos();
    touchedAt = nanoTime.getAsLong();
  }

  /** Whether the server will have ended the transaction, as it was not renewed in time. */
  synchronized boolean isOver() {
    return nanoTime.getAsLong() - touchedAt > bound;
  }

  /** Ends the transaction; what was not committed is undone. */
  synchronized void end() {
    Database.end(connection);
  }
}
