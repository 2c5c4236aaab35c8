package dev.postcommit.store;

import dev.postcommit.layout.Layout;
import dev.postcommit.store.internal.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The operator's view of one table. Safe for use by many threads. */
public interface OutboxAdmin {

  /** An admin on a table of the given layout. */
  static OutboxAdmin of(DataSource dataSource, Layout layout) {
    return Stores.admin(dataSource, layout);
  }

  /** How the table stands now. */
  Status status();

  /** The oldest of these dead events, at most {@code limit}. */
  List<DeadEvent> dead(DeadFilter filter, int limit);

  /** The ids of all these dead events, the oldest first. */
  List<String> deadIds(DeadFilter filter);

  /** How many dead events there are of these. */
  long countDead(DeadFilter filter);

  /** The dead event of this id, if there is one. */
  Optional<DeadEvent> dead(String id);

  /**
   * Makes dead events pending again, with all their attempts before them.
   *
   * <p>What is meant are those that are dead when it is called. They are changed in batches, each
   * with its entries in the audit table in a transaction of its own: if it fails half-way, every
   * event is either changed and recorded, or neither. Of several operators who decide on one event
   * at the same time, one does.
   *
   * @return how many were dead, and are pending now
   */
  int replay(DeadFilter filter, Decision decision);

  /**
   * Deletes dead events for good, in the same way; what remains is the entry in the audit table.
   *
   * @return how many were dead, and are gone now
   * @throws IllegalArgumentException if the decision gives no reason
   */
  int discard(DeadFilter filter, Decision decision);

  /** What operators did to dead events, the newest first, at most {@code limit} entries. */
  List<AuditEntry> audit(int limit);

  /**
   * Deletes delivered rows older than the retention time, in batches of their own transaction;
   * pending and dead rows are never touched.
   *
   * @return how many rows were deleted
   */
  long prune(Duration retention, int batchSize);

  /**
   * How a table stands.
   *
   * @param pending rows that are not delivered and not dead, those being delivered included
   * @param inFlight rows being delivered under a live lease, or held by a relay
   * @param delayed pending rows that are not due yet
   * @param dead rows the relay gave up on
   * @param oldestPending when the oldest row that is due was written, or null if none is or the
   *     layout does not keep it
   * @param oldestAge how long ago that was by the database's clock, zero if it is null
   * @param relays claimants with a live lease, or whose turn it is
   */
  record Status(
      long pending,
      long inFlight,
      long delayed,
      long dead,
      @Nullable Instant oldestPending,
      Duration oldestAge,
      long relays) {}

  /**
   * An event the relay gave up on.
   *
   * @param event the event; its {@code attempt} is the number of attempts made
   * @param error why the last attempt failed
   */
  record DeadEvent(StoredEvent event, @Nullable String error) {}

  /** What an operator can do to a dead event. */
  enum Action {
    /** Make it pending again. */
    REPLAY,
    /** Delete it. */
    DISCARD
  }

  /**
   * What an operator did to one dead event. Of the event it tells how it stood before.
   *
   * @param id rises with each entry
   * @param at when, by the database's clock
   * @param action what was done
   * @param operator who decided it
   * @param reason why, if a reason was given
   * @param eventId the event's id, as text
   * @param eventType the event's type, or its topic if the layout keeps no type
   * @param aggregateType the kind of thing it happened to, if the layout keeps it
   * @param aggregateId which thing it happened to, if the layout keeps it
   * @param attempts the number of attempts made
   * @param error why the last attempt failed
   */
  record AuditEntry(
      long id,
      Instant at,
      Action action,
      String operator,
      @Nullable String reason,
      String eventId,
      @Nullable String eventType,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      int attempts,
      @Nullable String error) {}
}
