package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Business;
import dev.postcommit.bench.contender.Tables;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderException;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Field;
import dev.postcommit.bench.measure.Loaded;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures how soon events arrive while a transaction stays open, minute by minute. A second
 * instance of each contender gets the same load at the same time in another database, which the
 * transaction does not affect: other work of the machine slows down both. A round of the results is
 * a minute.
 */
final class ReportScenario extends Scenario {
  private static final int RATE = 1_000;
  private static final int MINUTE = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Field field;

  ReportScenario(Bench bench, Field field, Progress progress) {
    super("report", bench, progress);
    this.field = field;
  }

  @Override
  public int rounds(Entrant entrant) {
    return entrant.isMain() || entrant.id().equals(Entrant.MODKIT) ? 1 : 0;
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    try (PostgresDatabase database = bench().servers().createDatabase()) {
      Tables.execute(database.dataSource(), Business.TABLE);
      try (ContenderProcess twin = field.startTwin(contender.entrant(), database)) {
        bench().warmUp(twin);
        bench().warmUp(contender);
        ask(contender, twin);
      }
    }
  }

  private void ask(ContenderProcess contender, ContenderProcess twin) throws Exception {
    contender.reset();
    contender.start();
    twin.reset();
    twin.start();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Connection holder = HorizonScenario.hold(bench().servers().postgres())) {
      Future<Loaded> held = threads.submit(() -> load(contender));
      Future<Loaded> free = threads.submit(() -> load(twin));
      note("free", twin, free.get());
      note("held", contender, held.get());
      holder.rollback();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ContenderException cause ? cause : e;
    } finally {
      threads.shutdownNow();
    }
    twin.stop();
    contender.stop();
  }

  private Loaded load(ContenderProcess contender) throws Exception {
    return bench().load(contender, RATE, sizes().minutes() * MINUTE, PATIENCE);
  }

  private void note(String variant, ContenderProcess contender, Loaded loaded) {
    for (int minute = 1; minute <= sizes().minutes(); minute++) {
      int events = RATE * MINUTE;
      Map<String, Double> latencies = loaded.latencies((minute - 1) * events, minute * events);
      if (latencies.isEmpty()) {
        progress().say("%s, %s: nothing arrived of minute %d".formatted(id(), variant, minute));
        continue;
      }
      Map<String, Double> metrics = new LinkedHashMap<>(latencies);
      metrics.keySet().retainAll(Set.of("p50_ms", "p99_ms", "p999_ms"));
      if (minute == 1) {
        metrics.putAll(loaded.verdict().metrics());
      }
      String text =
          "p50 %,.1f ms, p99 %,.1f ms, p99.9 %,.1f ms"
              .formatted(metrics.get("p50_ms"), metrics.get("p99_ms"), metrics.get("p999_ms"));
      note(variant, contender, minute, metrics, text);
    }
  }
}
