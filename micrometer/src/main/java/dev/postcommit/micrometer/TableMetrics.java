package dev.postcommit.micrometer;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Count;
import dev.postcommit.store.OutboxAdmin.Gauges;
import dev.postcommit.support.Daemons;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of the state of a table, with the tags {@code layout} and {@code table}.
 *
 * <p>A background thread reads the table periodically, so reading a gauge never waits for the
 * database. A gauge is NaN before the first reading, while the table cannot be read, and if the
 * layout does not have the value. Safe for use by many threads.
 */
public final class TableMetrics implements AutoCloseable {
  /** The default time between two readings. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(TableMetrics.class);
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration LAST_READING = Duration.ofSeconds(2);

  /** After this many intervals without a reading, the last one is too old to be shown. */
  private static final int PATIENCE = 3;

  private final Layout layout;
  private final OutboxAdmin admin;
  private final long interval;
  private final Clock clock;
  private final Meters meters;
  private final Timer queries;
  private final Counter failures;
  private final ScheduledExecutorService thread;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile Reading last;
  private boolean failing;

  /** A reading, null if it failed, and when it expires by the monotonic clock. */
  private record Reading(@Nullable Gauges gauges, long until) {}

  private TableMetrics(
      MeterRegistry registry, Layout layout, OutboxAdmin admin, Tags more, Duration interval) {
    this.layout = layout;
    this.admin = admin;
    this.interval = interval.toNanos();
    this.clock = registry.config().clock();
    this.last = new Reading(null, clock.monotonicTime());
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Daemons.named("postcommit-" + layout.table() + "-metrics"));
    meters = new Meters(registry, TagValues.of(layout).and(more));
    count("outbox.pending.count", "Events neither delivered nor dead", Gauges::pending);
    gauge("outbox.in.flight.count", "Events being delivered", Gauges::inFlight);
    count("outbox.delayed.count", "Pending events that are not due yet", Gauges::delayed);
    count("outbox.dead.count", "Dead events", Gauges::dead);
    gauge("outbox.relays.count", "Relays that are alive, the idle ones too", Gauges::relays);
    count(
        "outbox.diverted.count",
        "Pending events beside a log",
        read -> read.log() == null ? null : read.log().diverted());
    gauge(
        "outbox.log.leader",
        "1 if a relay has the lease on a log, else 0",
        read -> read.log() == null ? Double.NaN : read.log().hasLeader() ? 1 : 0);
    meters.gaugeOfSeconds(
        "outbox.oldest.age",
        "Age of the oldest event that is due, 0 if none is",
        this,
        self -> self.value(self::oldestAge));
    queries = meters.timer("outbox.table.query", "Time to read these figures from the table");
    failures = meters.counter("outbox.table.query.failures", "Readings of the table that failed");
  }

  /** Creates metrics of a table of {@code layout}, read every five seconds once started. */
  public static TableMetrics of(MeterRegistry registry, Layout layout, OutboxAdmin admin) {
    return of(registry, layout, admin, DEFAULT_INTERVAL);
  }

  /**
   * Creates metrics of a table of {@code layout}, not started.
   *
   * @param interval the time between two readings; positive
   */
  public static TableMetrics of(
      MeterRegistry registry, Layout layout, OutboxAdmin admin, Duration interval) {
    return of(registry, layout, admin, Tags.empty(), interval);
  }

  /**
   * Creates metrics of a table of {@code layout}, not started, in a process that has several tables
   * of the same name.
   *
   * @param more tags that distinguish the table; the same keys for all metrics of one registry
   * @param interval the time between two readings; positive
   */
  public static TableMetrics of(
      MeterRegistry registry, Layout layout, OutboxAdmin admin, Tags more, Duration interval) {
    if (interval.toMillis() < 1) {
      throw new IllegalArgumentException("interval must be at least 1 ms, not " + interval);
    }
    return new TableMetrics(registry, layout, admin, more, interval);
  }

  private void gauge(String name, String text, ToDoubleFunction<Gauges> value) {
    meters.gauge(name, text, this, self -> self.value(value));
  }

  private void count(String name, String text, Function<Gauges, @Nullable Count> count) {
    gauge(name, text, read -> rows(count.apply(read)));
  }

  private static double rows(@Nullable Count count) {
    return count == null ? Double.NaN : count.rows();
  }

  private double oldestAge(Gauges read) {
    @Nullable Duration age = read.oldestAge();
    return age == null || layout.column(Role.CREATED_AT).isEmpty()
        ? Double.NaN
        : Math.max(0, age.toNanos() / NANOS);
  }

  /**
   * Starts reading, now and after every interval. The database need not be available yet.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a reading catches what goes wrong in it
  public void start() {
    if (thread.isShutdown() || !started.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "the metrics of " + layout.table() + " were started or closed before");
    }
    thread.scheduleWithFixedDelay(this::read, 0, interval, TimeUnit.NANOSECONDS);
  }

  private void read() {
    long startedAt = clock.monotonicTime();
    try {
      Gauges gauges = admin.gauges();
      long now = clock.monotonicTime();
      queries.record(now - startedAt, TimeUnit.NANOSECONDS);
      last = new Reading(gauges, now + PATIENCE * (interval + now - startedAt));
      if (failing) {
        log.info("the metrics of {} are read again", layout.table());
      }
      failing = false;
    } catch (RuntimeException e) {
      last = new Reading(null, startedAt);
      failures.increment();
      if (!failing && !thread.isShutdown()) {
        log.warn("the metrics of {} cannot be read: {}", layout.table(), e.getMessage());
      }
      failing = true;
    }
  }

  private double value(ToDoubleFunction<Gauges> value) {
    Reading reading = last;
    return reading.gauges() == null || clock.monotonicTime() - reading.until() > 0
        ? Double.NaN
        : value.applyAsDouble(reading.gauges());
  }

  /** Stops reading and removes the gauges from the registry. */
  @Override
  public void close() {
    meters.removeGauges();
    thread.shutdownNow();
    try {
      thread.awaitTermination(LAST_READING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
