package dev.postcommit.bench.scenario;

import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderException;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.bench.measure.Sizes;
import dev.postcommit.bench.report.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A scenario of the benchmark. */
public abstract class Scenario {
  private static final int MODERATE_RATE = 1_000;

  private final String id;
  private final Bench bench;
  private final Progress progress;

  Scenario(String id, Bench bench, Progress progress) {
    this.id = id;
    this.bench = bench;
    this.progress = progress;
  }

  /** Returns its name in results and on the command line. */
  public final String id() {
    return id;
  }

  final Bench bench() {
    return bench;
  }

  final Sizes sizes() {
    return bench.sizes();
  }

  final Progress progress() {
    return progress;
  }

  /** Returns its number of rounds for a contender. */
  public int rounds(Entrant entrant) {
    return asks(entrant) ? sizes().rounds() : 0;
  }

  /** Returns whether a contender takes part: by default not all our layouts, and no upper bound. */
  boolean asks(Entrant entrant) {
    return entrant.isMainOrPeer();
  }

  /** Measures all contenders, by default one after the other. */
  public void ask(List<ContenderProcess> contenders, int round) throws Exception {
    for (ContenderProcess contender : contenders) {
      attempt(contender, () -> ask(contender, round));
    }
  }

  /** Runs a task of a contender; returns whether it succeeded, and stops the contender if not. */
  final boolean attempt(ContenderProcess contender, Attempt attempt) throws Exception {
    try {
      attempt.run();
      return true;
    } catch (ContenderException e) {
      progress.failed(id, contender.entrant(), e);
      try {
        contender.stop();
      } catch (ContenderException again) {
        progress.failed(id, contender.entrant(), again);
      }
      return false;
    }
  }

  /** A task of a contender. */
  @FunctionalInterface
  interface Attempt {
    void run() throws Exception;
  }

  /** Measures one contender. */
  abstract void ask(ContenderProcess contender, int round) throws Exception;

  /** Measures the latency of our main layouts at a moderate rate, with the tables as they are. */
  final void latency(String variant, ContenderProcess contender, int round) throws Exception {
    if (!contender.entrant().isMain() || sizes().latencySeconds() == 0) {
      return;
    }
    contender.start();
    int seconds = sizes().warmUp() + sizes().latencySeconds();
    Map<String, Double> latencies =
        bench()
            .load(contender, MODERATE_RATE, seconds, Sizes.PATIENCE)
            .latencies(MODERATE_RATE * sizes().warmUp());
    contender.stop();
    Map<String, Double> metrics = new LinkedHashMap<>();
    for (String metric : List.of("p50_ms", "p99_ms")) {
      metrics.put(metric, latencies.getOrDefault(metric, Double.NaN));
    }
    String text =
        "p50 %,.1f ms, p99 %,.1f ms".formatted(metrics.get("p50_ms"), metrics.get("p99_ms"));
    note(variant, contender, round, metrics, text);
  }

  /** Keeps a result. */
  final void note(
      String variant,
      ContenderProcess contender,
      int round,
      Map<String, Double> metrics,
      String text) {
    String name = contender.entrant().id();
    metrics.forEach(
        (metric, value) -> progress.accept(new Row(id, variant, name, round, metric, value)));
    progress.measured(id, variant, contender.entrant(), round, text);
  }
}
