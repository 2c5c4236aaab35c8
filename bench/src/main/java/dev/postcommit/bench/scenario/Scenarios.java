package dev.postcommit.bench.scenario;

import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.Field;
import dev.postcommit.bench.measure.Progress;
import java.util.List;

/** All scenarios, in the order in which they run. */
public final class Scenarios {
  private Scenarios() {}

  public static final List<String> IDS =
      List.of(
          "drain",
          "steady",
          "sustained",
          "enqueue",
          "keys",
          "hotkey",
          "horizon",
          "statistics",
          "history",
          "outage");

  /** The scenarios that run only on demand. */
  public static final List<String> LONG = List.of("report");

  public static List<Scenario> all(Bench bench, Field field, Progress progress) {
    return List.of(
        new DrainScenario(bench, progress),
        new SteadyScenario(bench, progress),
        new SustainedScenario(bench, progress),
        new EnqueueScenario(bench, progress),
        new KeysScenario(bench, progress),
        new HotKeyScenario(bench, progress),
        new HorizonScenario(bench, progress),
        new StatisticsScenario(bench, progress),
        new HistoryScenario(bench, progress),
        new OutageScenario(bench, progress),
        new ReportScenario(bench, field, progress));
  }
}
