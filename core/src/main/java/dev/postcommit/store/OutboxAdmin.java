package dev.postcommit.store;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.layout.Layout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The operator's view of one table. Safe for use by many threads. */
public interface OutboxAdmin {

  /** An admin on a table of the given layout. */
  static OutboxAdmin of(DataSource dataSource, Layout layout) {
    return Stores.admin(dataSource, layout);
  }

  /** How the table stands now, counted row by row; slow if there are millions to count. */
  Status status();

  /**
   * How the table stands now, for those who ask often: as {@link #status}, but cheap however many
   * rows there are. Up to ten thousand rows of a kind are counted; of more, the planner's
   * statistics say how many there are, and the oldest age is that of the oldest row that was read.
   *
   * <p>It is cheap by the indexes that claims need too. Where a table has none, a figure that is
   * not found within two seconds is left out.
   */
  Gauges gauges();

  /** The oldest of these dead events, at most {@code limit}, without what they contain. */
  List<DeadSummary> dead(DeadFilter filter, int limit);

  /** The ids of the oldest of these dead events, at most {@code limit}. */
  List<String> deadIds(DeadFilter filter, int limit);

  /** How many dead events there are of these. */
  long countDead(DeadFilter filter);

  /**
   * Why these dead events were given up, the most frequent reasons first, at most {@code limit}.
   */
  List<DeadReason> deadReasons(DeadFilter filter, int limit);

  /** The dead event of this id with its headers and payload, if there is one. */
  Optional<DeadEvent> dead(String id);

  /**
   * Makes dead events pending again, with all their attempts before them.
   *
   * <p>What is meant are those that are dead when it is called. They are changed in batches, each
   * with its entries in the audit table in a transaction of its own: if it fails half-way, every
   * event is either changed and recorded, or neither. Of several operators who decide on one event
   * at the same time, one does. Of more events than fit into a batch, their ids are read over a
   * second connection meanwhile, so that they need never be in memory together.
   *
   * @param soFar is told after each batch how many were changed
   * @return how many were dead, and are pending now
   * @throws UnfinishedDecisionException if the database failed after some were changed
   */
  long replay(DeadFilter filter, Decision decision, LongConsumer soFar);

  /** As {@link #replay(DeadFilter, Decision, LongConsumer)}, telling nobody meanwhile. */
  default long replay(DeadFilter filter, Decision decision) {
    return replay(filter, decision, changed -> {});
  }

  /**
   * Deletes dead events for good, in the same way; what remains is the entry in the audit table.
   *
   * @param soFar is told after each batch how many were deleted
   * @return how many were dead, and are gone now
   * @throws IllegalArgumentException if the decision gives no reason
   * @throws UnfinishedDecisionException if the database failed after some were deleted
   */
  long discard(DeadFilter filter, Decision decision, LongConsumer soFar);

  /** As {@link #discard(DeadFilter, Decision, LongConsumer)}, telling nobody meanwhile. */
  default long discard(DeadFilter filter, Decision decision) {
    return discard(filter, decision, changed -> {});
  }

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
   * Tells all relays of the table to pause: each notices within seconds, claims nothing more and
   * finishes what is in flight. It lasts until {@link #resume}, also for relays started meanwhile.
   *
   * @return whether it was not paused before; if it was, that decision stands
   * @throws PostcommitException if the database failed, or the table for it is not there, with what
   *     to do
   */
  boolean pause(Decision decision);

  /**
   * Lets the relays of the table go on.
   *
   * @return whether it was paused
   * @throws PostcommitException as {@link #pause} does
   */
  boolean resume(Decision decision);

  /** Who paused the table and why, if it is paused. */
  Optional<Pause> paused();

  /**
   * The relays that run on the table, the idle ones too, and those that were seen within the last
   * minute; the oldest first. Empty if there is no table in which they could show themselves.
   */
  Optional<List<RelayPresence>> relays();

  /**
   * The topics that take no messages because they are missing or forbidden, and for which events
   * wait; the oldest first. Empty if there is no table in which relays could say so.
   */
  Optional<List<TopicOutage>> topics();

  /**
   * Gives up the events that wait for a topic and were written until now: a relay makes them dead
   * within seconds, unless the topic takes messages by then. Events written later wait on.
   *
   * @return whether events wait for such a topic
   * @throws PostcommitException as {@link #pause} does
   */
  boolean giveUp(String topic, Decision decision);

  /**
   * A topic that takes no messages.
   *
   * @param reason what is wrong with it, and what to do
   * @param since when a relay found that, by the database's clock
   * @param lasting how long ago that was
   * @param givenUp who gave up the events that waited for it, when and why; null if nobody did
   */
  record TopicOutage(
      String topic, String reason, Instant since, Duration lasting, @Nullable Pause givenUp) {}

  /**
   * An operator's decision that relays pause.
   *
   * @param at when, by the database's clock
   * @param operator who decided it
   * @param reason why, if a reason was given
   */
  record Pause(Instant at, String operator, @Nullable String reason) {}

  /**
   * A relay as it last showed itself.
   *
   * @param id the id under which it claims
   * @param host the name of its machine
   * @param pid its process
   * @param version that of Postcommit, or null if it does not know
   * @param startedAt when it was started
   * @param state {@code running}, {@code paused}, {@code broker-unavailable}, {@code
   *     database-unavailable}, as far as it could still write that, or {@code failed}
   * @param since when that began
   * @param lasting how long ago that was
   * @param reason why it is so, if there is anything to say
   * @param delivered how many events it has delivered since its start
   * @param perSecond how many it delivered per second lately
   * @param silent how long ago it was seen
   */
  record RelayPresence(
      UUID id,
      String host,
      long pid,
      @Nullable String version,
      Instant startedAt,
      String state,
      Instant since,
      Duration lasting,
      @Nullable String reason,
      long delivered,
      double perSecond,
      Duration silent) {

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    /** Whether it was seen within the last seconds; relays show themselves every two. */
    public boolean isAlive() {
      return silent.compareTo(LONGEST_SILENCE) <= 0;
    }
  }

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
   * @param log what else there is to say of a log; null in other layouts
   */
  record Status(
      long pending,
      long inFlight,
      long delayed,
      long dead,
      @Nullable Instant oldestPending,
      Duration oldestAge,
      long relays,
      @Nullable LogStatus log) {}

  /**
   * What a log has and other tables do not.
   *
   * @param diverted the pending events that are in the table beside it: those that failed and are
   *     tried again, the later ones of their keys, and those with a time of their own
   * @param leader the relay that has the lease and reads the log, as in {@link RelayPresence#id},
   *     or null if none has it
   */
  record LogStatus(long diverted, @Nullable UUID leader) {}

  /**
   * How a table stands, found cheaply. A count or age is null if it could not be found in time.
   *
   * @param pending rows that are not delivered and not dead, those being delivered included
   * @param inFlight rows being delivered under a live lease, or held by a relay
   * @param delayed pending rows that are not due yet
   * @param dead rows the relay gave up on
   * @param oldestAge how long ago the oldest row that is due was written, zero if none is due; at
   *     least so long if {@code pending} is not exact
   * @param relays relays that are alive, the idle ones too; where they cannot show themselves,
   *     those that are delivering something
   * @param paused whether an operator has paused the table
   * @param log what else there is to say of a log; null in other layouts
   */
  record Gauges(
      @Nullable Count pending,
      long inFlight,
      @Nullable Count delayed,
      @Nullable Count dead,
      @Nullable Duration oldestAge,
      long relays,
      boolean paused,
      @Nullable LogGauges log) {}

  /**
   * What a log has and other tables do not, found cheaply.
   *
   * @param diverted as in {@link LogStatus}; null if it could not be found in time
   * @param hasLeader whether a relay has the lease and so reads the log, as the database sees it
   */
  record LogGauges(@Nullable Count diverted, boolean hasLeader) {}

  /**
   * A number of rows.
   *
   * @param rows how many there are
   * @param isExact whether they were counted; otherwise it is an estimate
   */
  record Count(long rows, boolean isExact) {}

  /**
   * An event the relay gave up on.
   *
   * @param event the event; its {@code attempt} is the number of attempts made
   * @param error why the last attempt failed
   */
  record DeadEvent(StoredEvent event, @Nullable String error) {

    /** The same without headers and payload. */
    public DeadSummary summary() {
      return DeadSummary.of(event, event.payload().length, error);
    }
  }

  /**
   * An event the relay gave up on, without its headers and payload. What the layout has no column
   * for is null; of type and topic one stands for the other.
   *
   * @param id the row's id, as text
   * @param attempts the number of attempts made
   * @param payloadBytes the size of its payload
   * @param error why the last attempt failed
   */
  record DeadSummary(
      String id,
      String namespace,
      String topic,
      @Nullable UUID tenant,
      @Nullable String dedupeKey,
      String type,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      @Nullable String key,
      int version,
      Instant createdAt,
      int attempts,
      long payloadBytes,
      @Nullable String error) {

    /** What is said of an event; its own payload does not matter. */
    public static DeadSummary of(StoredEvent event, long payloadBytes, @Nullable String error) {
      return new DeadSummary(
          event.id(),
          event.namespace(),
          event.topic(),
          event.tenant(),
          event.dedupeKey(),
          event.type(),
          event.aggregateType(),
          event.aggregateId(),
          event.key(),
          event.version(),
          event.createdAt(),
          event.attempt(),
          payloadBytes,
          error);
    }
  }

  /**
   * Why events were given up.
   *
   * @param error how the errors of these events begin: their first 200 characters, or null
   * @param events how many there are
   */
  record DeadReason(@Nullable String error, long events) {}

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
