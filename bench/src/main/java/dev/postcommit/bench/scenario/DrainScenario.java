package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Drained;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Entrant.Kind;
import dev.postcommit.bench.measure.Progress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Measures how fast a backlog is delivered, and the cost of each event. */
final class DrainScenario extends Scenario {
  /** Metrics of contenders that have tables. */
  private static final Set<String> OF_TABLES = Set.of("rows_written", "dead_rows", "commits");

  DrainScenario(Bench bench, Progress progress) {
    super("drain", bench, progress);
  }

  @Override
  public int rounds(Entrant entrant) {
    if (entrant.id().equals(Entrant.PLAIN_INSERT)) {
      return 0;
    }
    return entrant.isMinor() ? sizes().fewerRounds() : sizes().rounds();
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    Drained drained = bench().drain(contender, sizes().backlog(), Keys.SPREAD);
    Map<String, Double> metrics = new LinkedHashMap<>(drained.metrics());
    metrics.putAll(drained.costs());
    if (contender.entrant().kind() == Kind.LIMIT && contender.tables().isEmpty()) {
      metrics.keySet().removeAll(OF_TABLES);
    }
    note("", contender, round, metrics, drained.text());
  }
}
