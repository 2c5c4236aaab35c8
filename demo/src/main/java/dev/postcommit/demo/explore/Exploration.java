package dev.postcommit.demo.explore;

import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.testkit.explorer.Explorer;
import dev.postcommit.testkit.explorer.Explorer.Report;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.search.Coverage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A search over many scenarios, several at a time. */
final class Exploration {
  /** The limits on schedules of one scenario that are played before those of the next. */
  private static final long LARGEST_CHUNK = 500;

  private static final long SMALLEST_CHUNK = 20;

  private static final Duration PROGRESS = Duration.ofSeconds(5);

  private final List<Scenario> scenarios;
  private final long seed;
  private final long wanted;
  private final int workers;
  private final long chunk;
  private final SearchState state;
  private final AtomicLong played = new AtomicLong();
  private final Coverage coverage = new Coverage();
  private final Deque<Scenario> queue = new ArrayDeque<>();
  private final long begin = System.nanoTime();
  private long before;
  private long given;
  private long toldAt = begin;
  private Explorer.@Nullable Failure failure;

  Exploration(List<Scenario> scenarios, long seed, long wanted, int workers, SearchState state) {
    this.scenarios = scenarios;
    queue.addAll(scenarios);
    this.seed = seed;
    this.wanted = wanted;
    this.workers = workers;
    this.chunk =
        Math.max(SMALLEST_CHUNK, Math.min(LARGEST_CHUNK, wanted / Math.max(scenarios.size(), 1)));
    this.state = state;
  }

  /** Searches; returns whether no promise was broken. */
  boolean run(Terminal terminal) throws InterruptedException {
    before = scenarios.stream().mapToLong(each -> state.played(each.name())).sum();
    terminal
        .err()
        .printf(
            Locale.ROOT,
            "seed %d, %d scenarios, %,d schedules%s%n",
            seed,
            scenarios.size(),
            wanted,
            before == 0 ? "" : ", of which %,d were played before".formatted(before));
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      List<Future<?>> work = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        work.add(
            threads.submit(
                () -> {
                  search(terminal);
                  return null;
                }));
      }
      for (Future<?> each : work) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
    tell(terminal);
    if (failure != null) {
      terminal.out().println(failure.text());
      if (failure.number() != null) {
        terminal
            .out()
            .printf(
                "play it again: postcommit explore --scenario %s --number %s%n",
                failure.scenario(), failure.number());
      }
      return false;
    }
    terminal
        .out()
        .printf(
            Locale.ROOT,
            "nothing found in %,d schedules of %d scenarios (seed %d); recorded in %s%n",
            before + played.get(),
            scenarios.size(),
            seed,
            state.file());
    return true;
  }

  private record Chunk(Scenario scenario, long from, int size) {}

  /** Returns what to play next, or null at the end. One worker at a time plays a scenario. */
  private synchronized @Nullable Chunk next() {
    long left = wanted - before - given;
    if (left <= 0 || failure != null) {
      return null;
    }
    Scenario scenario = queue.poll();
    if (scenario == null) {
      return null;
    }
    int size = (int) Math.min(chunk, left);
    given += size;
    return new Chunk(scenario, state.played(scenario.name()), size);
  }

  private void search(Terminal terminal) throws SQLException {
    for (Chunk chunk = next(); chunk != null; chunk = next()) {
      try (Explorer explorer = Explorer.of(chunk.scenario())) {
        explorer.onProgress(
            progress -> {
              played.incrementAndGet();
              tellNowAndThen(terminal);
            });
        ended(chunk, explorer.random(seed, chunk.from(), chunk.size()));
      }
    }
  }

  private synchronized void ended(Chunk chunk, Report report) {
    state.add(chunk.scenario().name(), report.schedules());
    queue.add(chunk.scenario());
    coverage.addAll(report.coverage());
    Optional<Explorer.Failure> found = report.failure();
    if (found.isPresent() && failure == null) {
      failure = found.get();
    }
  }

  private synchronized void tellNowAndThen(Terminal terminal) {
    if (System.nanoTime() - toldAt > PROGRESS.toNanos()) {
      toldAt = System.nanoTime();
      tell(terminal);
    }
  }

  private synchronized void tell(Terminal terminal) {
    double seconds = (System.nanoTime() - begin) / 1e9;
    terminal
        .err()
        .printf(
            Locale.ROOT,
            "%,9d schedules  %,5.0f/s  %,d pairs of steps seen one after the other, %,d of them in both"
                + " orders%n",
            before + played.get(),
            played.get() / seconds,
            coverage.pairs(),
            coverage.bothOrders());
  }

  /** Plays one schedule again; returns whether it breaks no promise. */
  static boolean again(Scenario scenario, String number, Terminal terminal) throws SQLException {
    try (Explorer explorer = Explorer.of(scenario)) {
      Optional<Explorer.Failure> failure = explorer.again(number);
      terminal
          .out()
          .println(failure.map(Explorer.Failure::text).orElse("no promise is broken any more"));
      return failure.isEmpty();
    }
  }
}
