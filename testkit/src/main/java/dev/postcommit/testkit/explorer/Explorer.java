package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.ScenarioRunner.Outcome;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.search.Coverage;
import dev.postcommit.testkit.explorer.search.DivergedException;
import dev.postcommit.testkit.explorer.search.Exhaustive;
import dev.postcommit.testkit.explorer.search.Pct;
import dev.postcommit.testkit.explorer.search.Replay;
import dev.postcommit.testkit.explorer.search.ScheduleNumber;
import dev.postcommit.testkit.explorer.search.Strategy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays a {@link Scenario} under many schedules, until one breaks a promise. It drives real
 * sessions of Postgres and the code under test, one step at a time: a step is a statement, a commit
 * or a message to the broker.
 *
 * <pre>{@code
 * try (Explorer explorer = Explorer.of(scenario)) {
 *   Report report = explorer.all(1_000); // every schedule, if there are no more than that
 *   report.requireNone();
 * }
 * }</pre>
 */
public final class Explorer implements AutoCloseable {
  /** How often a failing schedule is tried in shorter forms. */
  private static final int SHRINKING_RUNS = 300;

  private static final int MOST_SWITCHES = 4;

  private final Scenario scenario;
  private final ScenarioRunner runner;
  private final Coverage coverage = new Coverage();
  private Consumer<Progress> listener = progress -> {};
  private int shrinkingRuns = SHRINKING_RUNS;

  private Explorer(Scenario scenario) throws SQLException {
    this.scenario = scenario;
    this.runner = new ScenarioRunner(scenario);
  }

  /** Explores a scenario, on a server that no other explorer uses meanwhile. */
  public static Explorer of(Scenario scenario) throws SQLException {
    return new Explorer(scenario);
  }

  /** Tells somebody after each schedule. */
  public Explorer onProgress(Consumer<Progress> told) {
    this.listener = told;
    return this;
  }

  /** Tries a failing schedule in shorter forms no more often than this. */
  Explorer shrinking(int runs) {
    this.shrinkingRuns = runs;
    return this;
  }

  /** How far a search is. */
  public record Progress(String scenario, long schedules, int pairs) {}

  /**
   * What a search came to.
   *
   * @param schedules how many were played to their end
   * @param isComplete whether these were all there are
   * @param results in how many different ways runs ended
   * @param coverage which steps were seen one after the other
   * @param failure the first that broke a promise
   */
  public record Report(
      String scenario,
      long schedules,
      boolean isComplete,
      Set<String> results,
      Coverage coverage,
      Duration took,
      Optional<Failure> failure) {

    /** Fails if a promise was broken. */
    public void requireNone() {
      failure.ifPresent(
          found -> {
            throw new AssertionError(found.text());
          });
    }
  }

  /**
   * A schedule that broke a promise.
   *
   * @param number plays it again: see {@link Explorer#again}; null if the scenario is not
   *     {@linkplain Scenario#isRepeatable repeatable}
   * @param after how many schedules were played before it was found, with it
   * @param problem what was wrong
   * @param script what happened, step by step
   */
  public record Failure(
      String scenario, @Nullable String number, long after, String problem, List<String> script) {

    /** All of it, to be read by people. */
    public String text() {
      String schedule =
          number == null
              ? "a schedule that timing had a part in, so that no number plays it again,"
              : "schedule " + number;
      return "%s: %s%n%s of scenario %s, the %dth:%n  %s"
          .formatted(scenario, problem, schedule, scenario, after, String.join("\n  ", script));
    }
  }

  /** Plays all schedules, or as many as {@code most}, without trying commuting steps twice. */
  public Report all(long most) throws SQLException {
    return exhaust(most, true);
  }

  /** The same, with all orders of all steps: to check that leaving some out leaves out nothing. */
  Report allOrders(long most) throws SQLException {
    return exhaust(most, false);
  }

  private Report exhaust(long most, boolean reduces) throws SQLException {
    requireRepeatable();
    Search search = new Search();
    Exhaustive strategy = new Exhaustive(reduces);
    boolean hasMore = true;
    while (hasMore && search.schedules < most && search.failure == null) {
      search.play(strategy, 0);
      hasMore = strategy.next();
    }
    return search.report(!hasMore);
  }

  /** Plays so many random schedules with few context switches. */
  public Report random(long seed, long schedules) throws SQLException {
    return random(seed, 0, schedules);
  }

  /**
   * Plays random schedules with few context switches, leaving out the first of those that this seed
   * stands for: to go on where another search ended. In which steps the switches are depends on the
   * longest run so far, so a search that goes on switches elsewhere than one that was not
   * interrupted.
   */
  public Report random(long seed, long from, long schedules) throws SQLException {
    Search search = new Search();
    Outcome straight = runner.play(new Replay(List.of(), false), 0, false);
    int shortest = straight.steps().size();
    int longest = shortest;
    int actors = straight.names().size();
    for (long i = from; i < from + schedules && search.failure == null; i++) {
      // Seeds in a row give similar first numbers.
      long mixed = new SplittableRandom(seed + i).nextLong();
      int switches = 1 + (int) (i % MOST_SWITCHES);
      Pct strategy = new Pct(mixed, actors, shortest, longest, switches);
      Outcome outcome = search.play(strategy, mixed);
      longest = Math.max(longest, outcome.steps().size());
    }
    return search.report(false);
  }

  private void requireRepeatable() {
    if (!scenario.isRepeatable()) {
      throw new IllegalArgumentException(
          scenario.name() + " depends on timing too, so that no schedule can be played again");
    }
  }

  /**
   * Plays one schedule again; returns what was wrong with it.
   *
   * @throws IllegalArgumentException if the scenario is not {@linkplain Scenario#isRepeatable
   *     repeatable}
   */
  public Optional<Failure> again(String number) throws SQLException {
    requireRepeatable();
    int actors = runner.play(new Replay(List.of(), false), 0, false).names().size();
    List<Integer> schedule = ScheduleNumber.schedule(number, actors);
    Outcome outcome = runner.play(new Replay(schedule, true), 0, true);
    return Optional.ofNullable(outcome.failure()).map(problem -> failure(outcome, 1, problem));
  }

  /** One search. */
  private final class Search {
    private final long begin = System.nanoTime();
    private final Set<String> results = new HashSet<>();
    private long schedules;
    private @Nullable Failure failure;

    Outcome play(Strategy strategy, long seed) throws SQLException {
      Outcome outcome = runner.play(strategy, seed, !scenario.isRepeatable());
      if (outcome.isComplete() || outcome.isFailed()) {
        schedules++;
        results.add(outcome.result());
        coverage.add(outcome.steps(), outcome.names());
        listener.accept(new Progress(scenario.name(), schedules, coverage.pairs()));
      }
      if (outcome.isFailed()) {
        failure =
            scenario.isRepeatable()
                ? shrink(outcome, schedules)
                : failure(outcome, schedules, Objects.requireNonNull(outcome.failure()));
      }
      return outcome;
    }

    Report report(boolean isComplete) {
      return new Report(
          scenario.name(),
          schedules,
          isComplete,
          results,
          coverage,
          Duration.ofNanos(System.nanoTime() - begin),
          Optional.ofNullable(failure));
    }
  }

  /** Leaves out of a failing schedule what it fails without, and plays the rest in words. */
  private Failure shrink(Outcome found, long after) throws SQLException {
    List<Integer> shortest = found.schedule();
    int runs = 0;
    for (int size = Math.max(shortest.size() / 2, 1); size > 0; size /= 2) {
      int from = 0;
      while (from < shortest.size() && runs++ < shrinkingRuns) {
        List<Integer> candidate = new ArrayList<>(shortest);
        candidate.subList(from, Math.min(from + size, candidate.size())).clear();
        Outcome outcome = runner.play(new Replay(candidate, false), 0, false);
        if (outcome.isFailed()) {
          shortest = candidate;
        } else {
          from += size;
        }
      }
    }
    Outcome outcome = runner.play(new Replay(shortest, false), 0, true);
    @Nullable Throwable problem = outcome.failure();
    if (problem == null) {
      problem = new DivergedException("it failed once, and not again: " + found.failure());
    }
    return failure(outcome, after, problem);
  }

  private Failure failure(Outcome outcome, long after, Throwable problem) {
    return new Failure(
        scenario.name(),
        scenario.isRepeatable()
            ? ScheduleNumber.of(outcome.schedule(), outcome.names().size())
            : null,
        after,
        String.valueOf(problem.getMessage()),
        outcome.trace());
  }

  @Override
  public void close() throws SQLException {
    runner.close();
  }
}
