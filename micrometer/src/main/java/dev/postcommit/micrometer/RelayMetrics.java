package dev.postcommit.micrometer;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.StoredEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;

/**
 * Metrics of relays, with the tags {@code layout} and {@code table}, and {@code topic} for metrics
 * of events.
 *
 * <p>Use one object for all relays of one table in a process. The tag {@code topic} is the topic
 * recorded with the event, or the event's type if the layout has no topic column; the router does
 * not change it. Only the metrics of unavailable topics use the broker's topic name. The number of
 * topics is limited: the first ones get meters of their own, and all others share {@code other}.
 *
 * <p>The latency of an event is the time from its insert, by the database's clock, to the broker's
 * acknowledgement, by this machine's clock, so it is only as accurate as the two clocks agree. It
 * includes delays and retries, and is never negative.
 *
 * <p>Safe for use by many threads.
 */
public final class RelayMetrics implements RelayListener, AutoCloseable {
  /** The default limit on topics with meters of their own. */
  public static final int DEFAULT_MAX_TOPICS = 100;

  private static final long NANOS = 1_000_000_000;
  private static final long CENTURY_SECONDS = 3_155_760_000L;

  private final Meters meters;
  private final Topics topics;
  private final TopicOutages topicOutages;
  private final Outage broker;
  private final Outage database;
  private final Outage standbys;
  private final Timer claims;
  private final Timer replication;
  private final Timer publishing;
  private final Timer settlements;
  private final Counter claimed;
  private final Counter settled;
  private final Counter polls;
  private final Counter idlePolls;
  private final Counter leaseLosses;
  private final Counter lostEvents;
  private final Counter pruned;
  private final Counter pruneFailures;
  private volatile boolean paused;
  private volatile boolean pruneFails;

  private RelayMetrics(MeterRegistry registry, Layout layout, Tags more, int maxTopics) {
    Tags tags = TagValues.of(layout).and(more);
    meters = new Meters(registry, tags);
    topics = new Topics(meters, maxTopics);
    topicOutages = new TopicOutages(registry, tags, maxTopics);
    broker = new Outage("broker", meters);
    database = new Outage("database", meters);
    standbys = new Outage("standbys", meters);
    meters.gauge(
        "outbox.paused",
        "1 if an operator has paused the table, else 0",
        this,
        self -> self.paused ? 1 : 0);
    meters.gauge(
        "outbox.prune.failing",
        "1 if old delivered rows could not be deleted the last time, else 0",
        this,
        self -> self.pruneFails ? 1 : 0);
    pruned = meters.counter("outbox.pruned.events", "Events deleted after their retention time");
    pruneFailures =
        meters.counter("outbox.prune.failures", "Failures to delete old delivered rows");
    claims = timer("outbox.claim", "Time to claim a batch");
    replication = timer("outbox.replication", "Time to wait for standbys");
    publishing = timer("outbox.publish", "Time until the broker answered");
    settlements = timer("outbox.settle", "Time to settle a batch");
    claimed = meters.counter("outbox.claimed.events", "Events that were claimed");
    settled = meters.counter("outbox.settled.events", "Events that were settled");
    polls = meters.counter("outbox.polls", "Polls of the table for events");
    idlePolls = meters.counter("outbox.idle.polls", "Polls that found nothing");
    leaseLosses = meters.counter("outbox.lease.losses", "Batches whose lease ended too early");
    lostEvents = meters.counter("outbox.lease.lost.events", "Events of such batches, sent again");
  }

  private Timer timer(String name, String text) {
    return meters.timer(name, text, Buckets.steps());
  }

  /** Creates metrics of the relays on a table of {@code layout}, with the default topic limit. */
  public static RelayMetrics of(MeterRegistry registry, Layout layout) {
    return of(registry, layout, DEFAULT_MAX_TOPICS);
  }

  /**
   * Creates metrics of the relays on a table of {@code layout}; pass them to {@link
   * Relay.Builder#listener}.
   *
   * @param maxTopics the limit on topics with meters of their own; 0 for none
   */
  public static RelayMetrics of(MeterRegistry registry, Layout layout, int maxTopics) {
    return of(registry, layout, Tags.empty(), maxTopics);
  }

  /**
   * Creates metrics of the relays on a table of {@code layout}, in a process that has several
   * tables of the same name.
   *
   * @param more tags that distinguish the table; the same keys for all metrics of one registry
   * @param maxTopics the limit on topics with meters of their own; 0 for none
   */
  public static RelayMetrics of(MeterRegistry registry, Layout layout, Tags more, int maxTopics) {
    if (maxTopics < 0) {
      throw new IllegalArgumentException("maxTopics must not be negative, not " + maxTopics);
    }
    return new RelayMetrics(registry, layout, more, maxTopics);
  }

  @Override
  public void polled(int taken) {
    polls.increment();
    if (taken == 0) {
      idlePolls.increment();
    }
  }

  @Override
  public void claimed(int events, Duration took) {
    claimed.increment(events);
    claims.record(took);
  }

  @Override
  public void answered(StoredEvent event, Delivery delivery, Duration took) {
    publishing.record(took);
    TopicMeters topic = topics.of(event.topic());
    topic.answered(delivery);
    if (delivery instanceof Delivery.Delivered && isKnown(event.createdAt())) {
      topic.processed(nanosSince(event.createdAt()));
    }
  }

  /** An event whose row has no creation time has {@link Instant#EPOCH}. */
  private static boolean isKnown(Instant createdAt) {
    return !createdAt.equals(Instant.EPOCH);
  }

  private static long nanosSince(Instant then) {
    Instant now = Instant.now();
    long seconds = now.getEpochSecond() - then.getEpochSecond();
    long bounded = Math.max(-1, Math.min(seconds, CENTURY_SECONDS));
    return Math.max(0, bounded * NANOS + now.getNano() - then.getNano());
  }

  @Override
  public void retrying(StoredEvent event, String reason, Duration delay) {
    topics.of(event.topic()).failed();
  }

  @Override
  public void violation(StoredEvent event, String reason) {
    topics.of(event.topic()).violation();
  }

  @Override
  public void dead(StoredEvent event, String reason) {
    TopicMeters topic = topics.of(event.topic());
    topic.failed();
    topic.dead();
  }

  @Override
  public void settled(int events, Duration took) {
    settled.increment(events);
    settlements.record(took);
  }

  @Override
  public void leaseLost(int events) {
    leaseLosses.increment();
    lostEvents.increment(events);
  }

  @Override
  public void brokerUnavailable(String reason) {
    broker.began();
  }

  @Override
  public void brokerRecovered(Duration outage) {
    broker.ended();
  }

  @Override
  public void topicUnavailable(String topic, String reason) {
    topicOutages.began(topic);
  }

  @Override
  public void topicRecovered(String topic, Duration outage) {
    topicOutages.ended(topic);
  }

  @Override
  public void databaseUnavailable(String reason) {
    database.began();
  }

  @Override
  public void databaseRecovered(Duration outage) {
    database.ended();
  }

  @Override
  public void replicated(int events, Duration took) {
    replication.record(took);
  }

  @Override
  public void standbysUnavailable(String reason) {
    standbys.began();
  }

  @Override
  public void standbysRecovered(Duration outage) {
    standbys.ended();
  }

  @Override
  public void pruned(long events) {
    pruned.increment((double) events);
    pruneFails = false;
  }

  @Override
  public void pruneFailed(String reason) {
    pruneFailures.increment();
    pruneFails = true;
  }

  @Override
  public void paused(String reason) {
    paused = true;
  }

  @Override
  public void resumed() {
    paused = false;
  }

  /** Removes the gauges from the registry. Call it after closing the relays. */
  @Override
  public void close() {
    meters.removeGauges();
    topicOutages.remove();
  }
}
