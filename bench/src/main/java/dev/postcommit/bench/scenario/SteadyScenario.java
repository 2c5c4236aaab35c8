package dev.postcommit.bench.scenario;

import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Loaded;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.bench.measure.Sizes;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Measures how soon after its commit an event arrives, at fixed rates. */
final class SteadyScenario extends Scenario {
  private static final double KEPT_UP = 0.9;

  /** Contenders that could not keep up, and do not run at higher rates. */
  private final Set<String> tooSlow = new HashSet<>();

  SteadyScenario(Bench bench, Progress progress) {
    super("steady", bench, progress);
  }

  /**
   * The load of a round is short and the rounds are many, since one pause of a server determines
   * the 99th percentile of several seconds.
   */
  @Override
  public int rounds(Entrant entrant) {
    boolean isAsked = entrant.isMainOrPeer() || entrant.id().equals(Entrant.KAFKA_PRODUCER);
    return isAsked ? sizes().moreRounds() : 0;
  }

  /** After drains a JVM recompiles the code for a load, which is not to be measured. */
  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    if (round == 1) {
      bench().warmUp(contender);
    }
    for (int rate : sizes().rates()) {
      String slow = contender.entrant().id() + round;
      if (!tooSlow.contains(slow) && !ask(contender, round, rate)) {
        tooSlow.add(slow);
      }
    }
    bench().cleanUp(contender);
  }

  private boolean ask(ContenderProcess contender, int round, int rate) throws Exception {
    contender.reset();
    bench().checkpoint();
    contender.start();
    Loaded loaded =
        bench().load(contender, rate, sizes().warmUp() + sizes().seconds(rate), Sizes.PATIENCE);
    contender.stop();
    loaded.costs().addWrites();
    Map<String, Double> metrics = new LinkedHashMap<>(loaded.latencies(rate * sizes().warmUp()));
    metrics.put("written_per_second", loaded.writtenPerSecond());
    metrics.putAll(loaded.verdict().metrics());
    metrics.putAll(loaded.costs().metrics());
    note(Integer.toString(rate), contender, round, metrics, text(loaded, metrics));
    return loaded.verdict().left() == 0 && loaded.writtenPerSecond() > KEPT_UP * rate;
  }

  private static String text(Loaded loaded, Map<String, Double> metrics) {
    String wrong = loaded.verdict().text();
    return "p50 %,.1f ms, p99 %,.1f ms, p99.9 %,.1f ms%s"
        .formatted(
            metrics.get("p50_ms"),
            metrics.get("p99_ms"),
            metrics.get("p999_ms"),
            wrong.isEmpty() ? "" : " (" + wrong + ")");
  }
}
