package dev.postcommit.consumer.inbox;

import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Remembers handled events in a Postgres table {@code processed_events}, one for each consumer.
 *
 * <pre>{@code
 * JdbcIdempotencyStore store =
 *     JdbcIdempotencyStore.builder(dataSource, "inventory-service").build();
 * }</pre>
 *
 * <p>{@link #markProcessed} puts look-up, mark and the handler's own changes into one transaction,
 * so that the effect happens exactly once. The calls of {@link IdempotencyStore} are transactions
 * of their own, for handlers with effects elsewhere; they work on the calling thread, and keep
 * events in progress in a side table, {@code <table>_claim}. Use a table in only one of the two
 * ways at a time: {@link #begin} does not see an event that is marked in an open transaction.
 *
 * <p>Two calls differ from those of a store that expires marks by itself. A processed event is
 * remembered until {@link #prune} removes it, except that {@link #checkAndMarkProcessed} ignores
 * rows older than its {@code ttl}. And {@link #complete} returns false if it is repeated after it
 * had succeeded and only its answer was lost: the table does not record whose mark completed an
 * event.
 *
 * <p>The table may be an existing one, with {@code event_id} of type uuid, text, varchar or bigint
 * and at least {@code processed_at} besides.
 */
public final class JdbcIdempotencyStore implements IdempotencyStore {
  private final DataSource dataSource;
  private final InboxDatabase database;
  private final JdbcTransactionMarks marks;
  private final JdbcClaims claims;
  private final String consumer;
  private final Duration ttl;
  private final Duration inProgressTime;

  private JdbcIdempotencyStore(Builder builder) {
    this.dataSource = builder.dataSource;
    this.database = new InboxDatabase(builder.dataSource, builder.table, builder.consumer);
    this.marks = new JdbcTransactionMarks(database);
    this.claims = new JdbcClaims(database, builder.consumer);
    this.consumer = builder.consumer;
    this.ttl = builder.ttl;
    this.inProgressTime = builder.inProgressTime;
  }

  /**
   * A builder of the store of one consumer.
   *
   * @param consumer the consumer's name, as {@code inventory-service}
   */
  public static Builder builder(DataSource dataSource, String consumer) {
    return new Builder(dataSource, consumer);
  }

  /**
   * Marks events as processed in the caller's transaction. It waits for other transactions that
   * have marked one of them and have not ended, for a few seconds at most.
   *
   * @param tx the transaction
   * @param events events of different ids
   * @return the ids of those that were not processed; handle them in this transaction. The others
   *     are duplicates
   * @throws EventInProgressException if another transaction did not end in time; roll this one back
   * @throws IllegalArgumentException if an id has a {@link #problem}
   */
  public Set<String> markProcessed(Connection tx, List<ProcessedEvent> events) throws SQLException {
    return events.isEmpty() ? Set.of() : marks.mark(tx, events);
  }

  /**
   * Deletes marks in the transaction that set them.
   *
   * @param eventIds ids that {@link #markProcessed} returned on {@code tx}
   */
  public void unmark(Connection tx, Collection<String> eventIds) throws SQLException {
    if (!eventIds.isEmpty()) {
      marks.unmark(tx, eventIds);
    }
  }

  /**
   * Looks at the table now rather than at the first event, and records that it belongs to this
   * consumer. The table of claims is not covered: {@link #markProcessed} does without it.
   *
   * @return why the table cannot be used: it is missing, does not fit, is another consumer's, or
   *     privileges are missing; empty if it can be used
   * @throws StoreUnavailableException if the database does not answer
   */
  public Optional<String> tableProblem() {
    return database.problem();
  }

  DataSource dataSource() {
    return dataSource;
  }

  @Override
  public List<Begin> begin(String consumer, List<String> eventIds) {
    check(consumer);
    return eventIds.isEmpty() ? List.of() : claims.begin(checked(eventIds), inProgressTime);
  }

  @Override
  public CompletionStage<Boolean> complete(Mark mark) {
    check(mark.consumer());
    try {
      return CompletableFuture.completedFuture(claims.complete(mark));
    } catch (StoreUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void abandon(List<Mark> marks) {
    marks.forEach(mark -> check(mark.consumer()));
    if (!marks.isEmpty()) {
      claims.abandon(marks);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A row that is older than {@code ttl} is replaced, whatever {@code ttl} it was written with.
   */
  @Override
  public Optional<Mark> markProcessed(String consumer, String eventId, Duration ttl) {
    check(consumer);
    StoreArguments.positive("ttl", ttl);
    return claims.mark(checked(List.of(eventId)).get(0), ttl);
  }

  @Override
  public void unmark(Mark mark) {
    check(mark.consumer());
    claims.unmark(mark);
  }

  @Override
  public boolean delete(String consumer, String eventId) {
    check(consumer);
    return claims.delete(checked(List.of(eventId)).get(0));
  }

  @Override
  public Duration inProgressTime() {
    return inProgressTime;
  }

  @Override
  public @Nullable String problem(String eventId) {
    return database.known().ids().problem(eventId);
  }

  @Override
  public long prune() {
    return claims.prune(ttl);
  }

  @Override
  public void check(String consumer) {
    if (!consumer.equals(this.consumer)) {
      throw new IllegalArgumentException(
          "%s is the table of consumer '%s', not of '%s'; give each consumer a table of its own"
              .formatted(database.table(), this.consumer, consumer));
    }
  }

  private List<String> checked(List<String> eventIds) {
    StoreArguments.checkIds(this, eventIds);
    return eventIds;
  }

  /** Collects the settings of a store. */
  public static final class Builder {
    private final DataSource dataSource;
    private final String consumer;
    private TableName table = TableName.of("processed_events");
    private Duration ttl = Duration.ofDays(30);
    private Duration inProgressTime = Duration.ofMinutes(1);

    private Builder(DataSource dataSource, String consumer) {
      this.dataSource = dataSource;
      this.consumer = StoreArguments.present("consumer", consumer);
    }

    /** The table of processed events. Default: {@code processed_events}. */
    public Builder table(TableName table) {
      // Rejects a name that leaves no room for the names of the side tables.
      ProcessedEventsTable.consumer(table);
      this.table = table;
      return this;
    }

    /** How long {@link #prune} keeps processed events. Default: 30 days, that is 720 hours. */
    public Builder ttl(Duration ttl) {
      this.ttl = StoreArguments.positive("ttl", ttl);
      return this;
    }

    /** How long an event stays in progress unless it is completed. Default: 1 minute. */
    public Builder inProgressTime(Duration inProgressTime) {
      this.inProgressTime = StoreArguments.positive("inProgressTime", inProgressTime);
      return this;
    }

    /** The store, not connected. */
    public JdbcIdempotencyStore build() {
      return new JdbcIdempotencyStore(this);
    }
  }
}
