package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Contender.Hold;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Loaded;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.bench.measure.Sizes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures how soon events arrive while very many events of another key cannot be delivered,
 * because the first of them failed or because the broker accepts them slowly.
 */
final class HotKeyScenario extends Scenario {
  private static final int RATE = 1_000;
  private static final int PROBE_RATE = 100;
  private static final Duration PROBE_PATIENCE = Duration.ofMinutes(1);
  private static final int ROWS = 300_000;
  private static final int FEW_ROWS = 20_000;

  /** In a shorter load a single pause of the machine would determine the p99. */
  private static final int SECONDS = 15;

  HotKeyScenario(Bench bench, Progress progress) {
    super("hotkey", bench, progress);
  }

  /** The content of such rows is known only for our own layouts. */
  @Override
  public int rounds(Entrant entrant) {
    return entrant.kind() == Entrant.Kind.POSTCOMMIT ? sizes().rounds() : 0;
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    if (round == 1 && !sizes().isQuick()) {
      // Code that runs only while a key is held is not compiled yet.
      forEach(contender, variant -> load(contender, sizes().warmUpSeconds()));
    }
    int seconds = sizes().warmUp() + (sizes().isQuick() ? sizes().seconds(RATE) : SECONDS);
    forEach(contender, variant -> note(contender, variant, round, load(contender, seconds)));
  }

  /** A measurement in one of the ways that are compared. */
  private interface Turn {
    void with(String variant) throws Exception;
  }

  private void forEach(ContenderProcess contender, Turn turn) throws Exception {
    contender.reset();
    turn.with("none");
    for (Hold hold : Hold.values()) {
      contender.reset();
      if (contender.addHotKey(hold, sizes().isQuick() ? FEW_ROWS : ROWS)) {
        turn.with(hold.name().toLowerCase(Locale.ROOT));
      }
    }
    contender.reset();
  }

  private Loaded load(ContenderProcess contender, int seconds) throws Exception {
    bench().cleanUp(contender);
    contender.start();
    // The existing rows are read once, in order; what counts is their cost from then on.
    bench().load(contender, PROBE_RATE, 1, PROBE_PATIENCE);
    Loaded loaded = bench().load(contender, RATE, seconds, Sizes.PATIENCE);
    contender.stop();
    return loaded;
  }

  private void note(ContenderProcess contender, String variant, int round, Loaded loaded) {
    Map<String, Double> latencies = loaded.latencies(RATE * sizes().warmUp());
    Map<String, Double> metrics = new LinkedHashMap<>(loaded.verdict().metrics());
    for (String metric : List.of("p50_ms", "p99_ms")) {
      // A contender that delivers no events has no latency.
      Double value = latencies.get(metric);
      if (value != null) {
        metrics.put(metric, value);
      }
    }
    String wrong = loaded.verdict().text();
    note(
        variant,
        contender,
        round,
        metrics,
        text(latencies) + (wrong.isEmpty() ? "" : " (" + wrong + ")"));
  }

  private static String text(Map<String, Double> latencies) {
    return latencies.isEmpty()
        ? "none arrived"
        : "p50 %,.1f ms, p99 %,.1f ms".formatted(latencies.get("p50_ms"), latencies.get("p99_ms"));
  }
}
