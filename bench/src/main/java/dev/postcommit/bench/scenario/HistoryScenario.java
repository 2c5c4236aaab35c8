package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Drained;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;

/** How fast a backlog is delivered from a table that holds millions of delivered rows already. */
final class HistoryScenario extends Scenario {
  private static final int DRAINS_OF_PEERS = 2;

  HistoryScenario(Bench bench, Progress progress) {
    super("history", bench, progress);
  }

  /** The table is filled once, and drained often enough. */
  @Override
  public int rounds(Entrant entrant) {
    return Math.min(super.rounds(entrant), 1);
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    contender.reset();
    if (!contender.addHistory(1)) {
      progress()
          .measured(id(), "", contender.entrant(), round, "keeps no delivered rows to come across");
      return;
    }
    int drains = drains(contender.entrant());
    // Empty before and after: what becomes faster or slower as time passes favours neither.
    int before = drains - drains / 2;
    drain(contender, 0, 1, before);
    drain(contender, sizes().history(), 1, drains);
    drain(contender, 0, before + 1, drains);
    contender.reset();
  }

  private int drains(Entrant entrant) {
    return entrant.isMain() ? sizes().drains() : Math.min(DRAINS_OF_PEERS, sizes().rounds());
  }

  /**
   * Drains a table with so many delivered rows, from one time to another; not after events were
   * left: those of another drain would have to wait for them.
   */
  private void drain(ContenderProcess contender, int history, int from, int to) throws Exception {
    String variant = Integer.toString(history);
    contender.reset();
    if (history > 0) {
      contender.addHistory(history);
    }
    bench().cleanUp(contender);
    boolean isEmpty = true;
    for (int drain = from; drain <= to && isEmpty; drain++) {
      Drained drained =
          bench().drainOnTop(contender, sizes().comparedBacklog(contender.entrant()), Keys.SPREAD);
      note(variant, contender, drain, drained.metrics(), drained.text());
      isEmpty = drained.verdict().left() == 0;
      latency(variant, contender, drain);
    }
  }
}
