package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Drained;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;

/** Measures how fast a backlog is delivered from a table with millions of delivered rows. */
final class HistoryScenario extends Scenario {
  private static final int DRAINS_OF_PEERS = 2;

  HistoryScenario(Bench bench, Progress progress) {
    super("history", bench, progress);
  }

  /** The table is filled once and drained several times. */
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
    // Empty before and after, so that drift over time favours neither.
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
   * Drains a table with so many delivered rows several times. Stops when events were left, since
   * those of the next drain would have to wait for them.
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
