package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.contender.Tables;
import dev.postcommit.bench.measure.Backlog;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;
import java.sql.SQLException;

/**
 * Measures how fast a backlog is delivered while the statistics of Postgres are from a time when
 * everything was delivered, as right after an outage.
 */
final class StatisticsScenario extends BacklogScenario {
  StatisticsScenario(Bench bench, Progress progress) {
    super("statistics", bench, progress);
  }

  /** All our layouts and no others: the question is whether their plans hold. */
  @Override
  boolean asks(Entrant entrant) {
    return entrant.kind() == Entrant.Kind.POSTCOMMIT;
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    setAutovacuum("off");
    try {
      // Each goes first alternately, so that drift over time favours neither.
      boolean freshFirst = round % 2 == 1;
      drain(contender, freshFirst, round);
      drain(contender, !freshFirst, round);
    } finally {
      setAutovacuum("on");
    }
  }

  private void drain(ContenderProcess contender, boolean fresh, int round) throws Exception {
    String variant = fresh ? "fresh" : "stale";
    if (isSlow(contender, variant)) {
      return;
    }
    Backlog backlog = sizes().smallBacklog();
    bench().drain(contender, backlog, Keys.SPREAD);
    bench().cleanUp(contender);
    if (fresh) {
      drain(contender, variant, backlog, Keys.SPREAD, round);
    } else {
      keep(contender, variant, bench().drainUnknown(contender, backlog, Keys.SPREAD), round);
    }
  }

  private void setAutovacuum(String value) throws SQLException {
    Tables.execute(bench().servers().dataSource(), "ALTER SYSTEM SET autovacuum = " + value);
    Tables.execute(bench().servers().dataSource(), "SELECT pg_reload_conf()");
  }
}
