package dev.postcommit.store;

import dev.postcommit.layout.Layout;
import dev.postcommit.store.internal.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
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

  /** The oldest dead events, at most {@code limit}. */
  List<DeadEvent> dead(int limit);

  /** The ids of all dead events, the oldest first. */
  List<String> deadIds();

  /** The dead event of this id, if there is one. */
  Optional<DeadEvent> dead(String id);

  /**
   * Makes dead events pending again, with all their attempts before them.
   *
   * @return how many of them were dead, and are pending now
   */
  int replay(Collection<String> ids);

  /**
   * Deletes dead events for good.
   *
   * @return how many of them were dead, and are gone now
   */
  int discard(Collection<String> ids);

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
   * @param inFlight rows being delivered under a live lease
   * @param delayed pending rows that are not due yet
   * @param dead rows the relay gave up on
   * @param oldestPending when the oldest row that is due was written, or null if none is
   * @param oldestAge how long ago that was by the database's clock, zero if none is
   * @param relays claimants with a live lease
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
}
