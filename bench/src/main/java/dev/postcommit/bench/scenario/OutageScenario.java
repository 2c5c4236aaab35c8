package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.contender.LoadTimes;
import dev.postcommit.bench.measure.Arrivals;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderException;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.bench.measure.Tap;
import dev.postcommit.bench.measure.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures how long after an outage of the broker all events have arrived, and how many are dead.
 * All contenders experience the same outage at the same time, each under a small load.
 */
final class OutageScenario extends Scenario {
  private static final int RATE = 50;
  private static final int WRITERS = 2;
  private static final int LONGEST_BEFORE = 5;
  private static final int LONGEST_AFTER = 15;

  /** The longest time that the last events may take after the outage, in outages. */
  private static final int PATIENCE = 2;

  OutageScenario(Bench bench, Progress progress) {
    super("outage", bench, progress);
  }

  @Override
  public int rounds(Entrant entrant) {
    return Math.min(super.rounds(entrant), 1);
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    ask(List.of(contender), round);
  }

  @Override
  public void ask(List<ContenderProcess> contenders, int round) throws Exception {
    int outage = sizes().outageSeconds();
    int before = Math.min(LONGEST_BEFORE, outage);
    int seconds = before + outage + Math.min(LONGEST_AFTER, outage);
    progress().say("outage of %d s for all at once".formatted(outage));
    ExecutorService threads = Executors.newFixedThreadPool(contenders.size());
    List<Run> runs = new ArrayList<>();
    try {
      for (ContenderProcess contender : contenders) {
        attempt(
            contender,
            () -> {
              contender.reset();
              contender.start();
              runs.add(new Run(contender, bench().nextRun()));
            });
      }
      List<Future<LoadTimes>> loads = new ArrayList<>();
      for (Run run : runs) {
        loads.add(threads.submit(() -> run.load(seconds)));
      }
      Thread.sleep(Duration.ofSeconds(before).toMillis());
      // After a kill, it would check everything that was ever sent before it is back.
      bench().servers().kafka().stop();
      Thread.sleep(Duration.ofSeconds(outage).toMillis());
      bench().servers().kafka().restart();
      long back = System.nanoTime();
      for (int i = 0; i < runs.size(); i++) {
        Run run = runs.get(i);
        Future<LoadTimes> load = loads.get(i);
        attempt(run.contender, () -> finish(run, load, round, back));
      }
    } finally {
      runs.forEach(run -> run.tap.close());
      threads.shutdownNow();
    }
  }

  private void finish(Run run, Future<LoadTimes> load, int round, long back) throws Exception {
    try {
      LoadTimes times = load.get();
      Duration patience = Duration.ofSeconds((long) PATIENCE * sizes().outageSeconds());
      boolean all = run.tap.arrivals().await(times.commits(), back + patience.toNanos());
      run.contender.stop();
      long dead = run.contender.dead();
      Verdict verdict =
          Verdict.of(run.tap.arrivals(), times.events(), Keys.SPREAD, times::isCommitted, !all);
      Map<String, Double> metrics = new LinkedHashMap<>(verdict.metrics());
      metrics.put("dead", (double) dead);
      double recovered = recovered(run.tap.arrivals(), times, back);
      if (all) {
        metrics.put("recovered_s", recovered);
      }
      String wrong = verdict.text();
      note(
          Integer.toString(sizes().outageSeconds()),
          run.contender,
          round,
          metrics,
          (all ? "%.1f s to recover".formatted(recovered) : "did not recover")
              + ", %d dead".formatted(dead)
              + (wrong.isEmpty() ? "" : " (" + wrong + ")"));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ContenderException cause ? cause : e;
    }
  }

  /** Seconds from the broker's return to the arrival of the last event committed before it. */
  private static double recovered(Arrivals arrivals, LoadTimes times, long back) {
    long last = back;
    BitSet seen = new BitSet();
    for (int i = 0; i < arrivals.count(); i++) {
      int n = arrivals.number(i);
      if (!seen.get(n) && times.isCommitted(n) && times.committed(n) < back) {
        last = Math.max(last, arrivals.time(i));
      }
      seen.set(n);
    }
    return (last - back) / 1e9;
  }

  /** One contender in the outage. */
  private final class Run {
    private final ContenderProcess contender;
    private final int number;
    private final Tap tap;

    Run(ContenderProcess contender, int number) {
      this.contender = contender;
      this.number = number;
      this.tap =
          new Tap(
              bench().servers().bootstrapServers(),
              contender.topic(),
              number,
              n -> !LoadTimes.isRolledBack(n));
    }

    LoadTimes load(int seconds) {
      return contender.load(
          number, RATE, RATE * seconds, sizes().bytes(), WRITERS, Duration.ofSeconds(seconds));
    }
  }
}
