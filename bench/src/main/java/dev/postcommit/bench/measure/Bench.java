package dev.postcommit.bench.measure;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.contender.LoadTimes;
import dev.postcommit.bench.contender.Tables;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The operations of all scenarios: drain a backlog, and load a contender at a rate. */
public final class Bench {
  private static final Duration START = Duration.ofSeconds(20);
  private static final int POLL_MILLIS = 10;
  private static final int WARM_UP_RATE = 1_000;

  /** The size of a backlog relative to what is known to be delivered within the limit. */
  private static final int OUTLASTS = 2;

  private final Servers servers;
  private final Sizes sizes;
  private final AtomicInteger runs = new AtomicInteger();

  /** The highest rate at which each contender, by id, has drained a backlog. */
  private final Map<String, Double> best = new HashMap<>();

  public Bench(Servers servers, Sizes sizes) {
    this.servers = servers;
    this.sizes = sizes;
  }

  public Servers servers() {
    return servers;
  }

  public Sizes sizes() {
    return sizes;
  }

  /** Returns the number of a new run. */
  public int nextRun() {
    return runs.incrementAndGet();
  }

  /** Empties the contender's tables, writes a backlog, and drains it. */
  public Drained drain(ContenderProcess contender, Backlog backlog, Keys keys)
      throws SQLException, InterruptedException {
    contender.reset();
    return drainOnTop(contender, backlog, keys);
  }

  /**
   * Adds a backlog to the contender's tables and drains it. The backlog is smaller, but outlasts
   * the limit, if the contender is known to be slow.
   */
  public Drained drainOnTop(ContenderProcess contender, Backlog backlog, Keys keys)
      throws SQLException, InterruptedException {
    return drainOnTop(contender, backlog, keys, true);
  }

  /** Does the same without {@code ANALYZE}. */
  public Drained drainUnknown(ContenderProcess contender, Backlog backlog, Keys keys)
      throws SQLException, InterruptedException {
    return drainOnTop(contender, backlog, keys, false);
  }

  private Drained drainOnTop(
      ContenderProcess contender, Backlog backlog, Keys keys, boolean isKnown)
      throws SQLException, InterruptedException {
    int run = nextRun();
    Duration limit = backlog.limit();
    int events = outlasting(contender, backlog.events(), limit);
    contender.fill(run, events, sizes.bytes(), keys);
    if (isKnown) {
      cleanUp(contender);
    } else {
      checkpoint();
    }
    Drained drained =
        contender.entrant().id().equals(Entrant.SQL_DRAIN)
            ? drainUnseen(contender, events, limit)
            : drain(contender, run, events, keys, limit);
    best.merge(contender.entrant().id(), drained.perSecond(), Math::max);
    return drained;
  }

  /**
   * Makes the database do now the work caused by the contender's writes, which would otherwise run
   * during the measurement.
   */
  public void cleanUp(ContenderProcess contender) throws SQLException {
    for (String table : contender.tables()) {
      Tables.execute(servers.dataSource(), "VACUUM (ANALYZE) " + table);
    }
    checkpoint();
  }

  /** Makes the database write now what it would otherwise write during the measurement. */
  public void checkpoint() throws SQLException {
    Tables.execute(servers.dataSource(), "CHECKPOINT");
  }

  /**
   * Returns twice what a slow contender can deliver until it is stopped: writing events that it
   * never reaches would take most of the time of a run.
   */
  private int outlasting(ContenderProcess contender, int most, Duration limit) {
    double within = best.getOrDefault(contender.entrant().id(), 0.0) * limit.toMillis() / 1_000;
    return within > 0 ? (int) Math.min(most, Math.ceil(OUTLASTS * within)) : most;
  }

  private Drained drain(ContenderProcess contender, int run, int events, Keys keys, Duration limit)
      throws SQLException, InterruptedException {
    try (Tap tap = new Tap(servers.bootstrapServers(), contender.topic(), run, n -> true)) {
      Meter meter = Meter.start(servers, contender);
      contender.start();
      Arrivals arrivals = tap.arrivals();
      arrivals.await(1, System.nanoTime() + START.toNanos());
      meter.restartCpu();
      boolean all = arrivals.await(events, System.nanoTime() + limit.toNanos());
      int delivered = Math.max(1, arrivals.distinct());
      Costs costs = new Costs(meter, delivered);
      contender.stop();
      costs.addWrites();
      Verdict verdict = Verdict.of(arrivals, events, keys, n -> true, !all);
      double nanos =
          arrivals.count() < 2 ? 0 : arrivals.time(arrivals.count() - 1) - arrivals.time(0);
      return new Drained(
          nanos == 0 ? 0 : (delivered - 1) * 1e9 / nanos, delivered, verdict, costs.metrics());
    }
  }

  private Drained drainUnseen(ContenderProcess contender, int events, Duration limit)
      throws SQLException, InterruptedException {
    Meter meter = Meter.start(servers, contender);
    long start = System.nanoTime();
    contender.start();
    long deadline = start + limit.toNanos();
    while (contender.settled() < events && System.nanoTime() < deadline) {
      Thread.sleep(POLL_MILLIS);
    }
    int settled = (int) contender.settled();
    double nanos = System.nanoTime() - start;
    Costs costs = new Costs(meter, Math.max(1, settled));
    contender.stop();
    costs.addWrites();
    return new Drained(
        settled * 1e9 / nanos, settled, new Verdict(0, 0, 0, 0, events - settled), costs.metrics());
  }

  /** Applies a load that does not count, so that the JVM compiles the code for it. */
  public void warmUp(ContenderProcess contender) throws InterruptedException, SQLException {
    contender.reset();
    contender.start();
    load(contender, WARM_UP_RATE, sizes.warmUpSeconds(), Sizes.PATIENCE);
    contender.stop();
  }

  /**
   * Loads a contender whose relay runs, and waits for the rest of the events. Writers give up when
   * they are late by {@code patience}.
   */
  public Loaded load(ContenderProcess contender, int rate, int seconds, Duration patience)
      throws InterruptedException, SQLException {
    int run = nextRun();
    int events = rate * seconds;
    try (Tap tap =
        new Tap(
            servers.bootstrapServers(), contender.topic(), run, n -> !LoadTimes.isRolledBack(n))) {
      Meter meter = Meter.start(servers, contender);
      LoadTimes times = contender.load(run, rate, events, sizes.bytes(), Sizes.WRITERS, patience);
      Loaded loaded = new Loaded(times, tap.arrivals());
      long end = System.nanoTime() + patience.toNanos();
      boolean all = tap.arrivals().await(loaded.expected(), end);
      loaded.judge(!all, new Costs(meter, loaded.committed()));
      return loaded;
    }
  }
}
