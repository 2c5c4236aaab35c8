package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.explorer.Explorer.Report;
import dev.postcommit.testkit.explorer.inbox.InboxScenarios;
import dev.postcommit.testkit.explorer.log.ExactlyOnceScenarios;
import dev.postcommit.testkit.explorer.log.LogScenarios;
import dev.postcommit.testkit.explorer.outbox.HeldScenarios;
import dev.postcommit.testkit.explorer.outbox.ModkitScenarios;
import dev.postcommit.testkit.explorer.outbox.NativeScenarios;
import dev.postcommit.testkit.explorer.relay.RelayScenario;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every build plays more than five thousand schedules of all scenarios: all there are of the small
 * ones, and random ones of the others. None breaks a promise. Scenarios are played side by side;
 * each is a test, which waits for its own.
 */
class SchedulesIT {
  /** More than any small scenario has. */
  private static final int MOST = 2_000;

  private static final int RANDOM = 25;

  /** A whole relay takes as long for one schedule as the others do for ten. */
  private static final int WITH_THREADS = 20;

  private static final int LEAST = 5_000;

  private final List<Future<Report>> reports = new ArrayList<>();

  private static final ExecutorService WORKERS =
      // Each waits for Postgres half of the time.
      Executors.newFixedThreadPool(2 * Runtime.getRuntime().availableProcessors());

  @AfterAll
  static void stop() {
    WORKERS.shutdownNow();
  }

  @TestFactory
  @DisplayName("no schedule of a scenario breaks a promise")
  Stream<DynamicContainer> noScheduleBreaksAPromise() {
    long begin = System.nanoTime();
    return Stream.of(
        container(
            "R1, R5: a log loses and reorders nothing",
            all(LogScenarios.all().get(0)),
            random(20, RANDOM, rest(LogScenarios.all(), 1), PartitionScenario.log())),
        container(
            "R40: a log whose checkpoint the broker keeps delivers each event once",
            all(ExactlyOnceScenarios.all().get(0)),
            random(21, RANDOM, rest(ExactlyOnceScenarios.all(), 1))),
        container(
            "claims by lease, native",
            all(NativeScenarios.all().get(0), NativeScenarios.all().get(1)),
            random(1, RANDOM, rest(NativeScenarios.all(), 2))),
        container(
            "claims by lease, modkit",
            all(ModkitScenarios.all().get(0), ModkitScenarios.all().get(1)),
            random(1, RANDOM, rest(ModkitScenarios.all(), 2))),
        container(
            "claims held by a transaction",
            all(HeldScenarios.all().get(0), HeldScenarios.all().get(1)),
            random(1, RANDOM, everyThird(rest(HeldScenarios.all(), 2)))),
        container(
            "consumers with marks in Postgres",
            all(InboxScenarios.small().toArray(Scenario[]::new)),
            random(20_261_118, RANDOM, InboxScenarios.large())),
        container(
            "consumers with marks in Redis",
            all(RedisScenarios.small().toArray(Scenario[]::new)),
            random(20_261_118, RANDOM, RedisScenarios.large())),
        dynamicContainer(
            "whole relays with their threads",
            random(1, WITH_THREADS, List.copyOf(RelayScenario.all()))),
        dynamicContainer(
            "all of them", Stream.of(dynamicTest("are more than " + LEAST, () -> count(begin)))));
  }

  /** Each of the three layouts plays some of the scenarios, so that each is played on one. */
  private static List<Scenario> everyThird(List<Scenario> scenarios) {
    List<Scenario> some = new ArrayList<>();
    for (int i = 0; i < scenarios.size(); i += 3) {
      some.add(scenarios.get(i));
    }
    return some;
  }

  private static List<Scenario> rest(List<Scenario> scenarios, int from) {
    return scenarios.subList(from, scenarios.size());
  }

  private static DynamicContainer container(
      String name, Stream<DynamicTest> small, Stream<DynamicTest> large) {
    return dynamicContainer(name, Stream.concat(small, large));
  }

  private Stream<DynamicTest> all(Scenario... scenarios) {
    return Stream.of(scenarios).map(this::everySchedule).toList().stream();
  }

  private DynamicTest everySchedule(Scenario scenario) {
    return test(
        scenario,
        explorer -> {
          Report report = explorer.all(MOST);
          report.requireNone();
          assertThat(report.isComplete()).as("all schedules").isTrue();
          assertThat(report.schedules()).as("schedules").isGreaterThan(5);
          return report;
        });
  }

  private Stream<DynamicTest> random(
      long seed, int schedules, List<Scenario> scenarios, Scenario... more) {
    return Stream.concat(scenarios.stream(), Stream.of(more))
        .map(
            scenario ->
                test(
                    scenario,
                    explorer -> {
                      Report report = explorer.random(seed, schedules);
                      report.requireNone();
                      assertThat(report.schedules()).as("schedules").isEqualTo(schedules);
                      return report;
                    }))
        .toList()
        .stream();
  }

  private DynamicTest test(Scenario scenario, Search search) {
    Future<Report> report =
        WORKERS.submit(
            () -> {
              try (Explorer explorer = Explorer.of(scenario)) {
                Report played = search.play(explorer);
                print(played);
                return played;
              }
            });
    reports.add(report);
    return dynamicTest(scenario.name(), () -> report.get(10, TimeUnit.MINUTES));
  }

  /** Prints what was played, for docs/trust.md. */
  private static void print(Report report) {
    System.out.printf(
        "schedules | %s | %d | %d ms%n",
        report.scenario(), report.schedules(), report.took().toMillis());
  }

  private void count(long begin) throws Exception {
    long played = 0;
    for (Future<Report> report : reports) {
      played += report.get(10, TimeUnit.MINUTES).schedules();
    }
    System.out.printf(
        "schedules | all | %d | %d ms%n", played, (System.nanoTime() - begin) / 1_000_000);
    assertThat(played).isGreaterThan(LEAST);
  }

  /** A way to play a scenario. */
  private interface Search {
    Report play(Explorer explorer) throws SQLException;
  }
}
