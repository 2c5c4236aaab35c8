package dev.postcommit.bench.run;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.run.Entrant.Kind;
import java.util.LinkedHashMap;
import java.util.Map;

/** How fast a backlog is delivered, and what each event of it costs. */
final class DrainScenario extends Scenario {
  DrainScenario(Bench bench, Progress progress) {
    super("drain", bench, progress);
  }

  @Override
  int rounds(Entrant entrant) {
    if (entrant.id().equals(Entrant.PLAIN_INSERT)) {
      return 0;
    }
    return entrant.isMinor() ? sizes().fewerRounds() : sizes().rounds();
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    Drained drained =
        bench().drain(contender, sizes().backlog(), Keys.SPREAD, sizes().drainLimit());
    Map<String, Double> metrics = new LinkedHashMap<>(drained.metrics());
    metrics.putAll(drained.costs());
    if (contender.entrant().kind() == Kind.LIMIT && contender.tables().isEmpty()) {
      metrics.keySet().removeIf(name -> name.equals("rows_written") || name.equals("commits"));
    }
    note("", contender, round, metrics, drained.text());
  }
}
