package dev.postcommit.bench.run;

import java.util.List;

/** All questions, in the order in which they are asked. */
final class Scenarios {
  private Scenarios() {}

  static final List<String> IDS =
      List.of("drain", "steady", "sustained", "enqueue", "keys", "horizon", "history", "outage");

  static List<Scenario> all(Bench bench, Progress progress) {
    return List.of(
        new DrainScenario(bench, progress),
        new SteadyScenario(bench, progress),
        new SustainedScenario(bench, progress),
        new EnqueueScenario(bench, progress),
        new KeysScenario(bench, progress),
        new HorizonScenario(bench, progress),
        new HistoryScenario(bench, progress),
        new OutageScenario(bench, progress));
  }
}
