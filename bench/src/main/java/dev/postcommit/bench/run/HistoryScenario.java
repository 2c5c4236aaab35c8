package dev.postcommit.bench.run;

import dev.postcommit.bench.contender.Keys;

/** How fast a backlog is delivered from a table that holds millions of delivered rows already. */
final class HistoryScenario extends Scenario {
  private static final int DRAINS_OF_PEERS = 2;

  HistoryScenario(Bench bench, Progress progress) {
    super("history", bench, progress);
  }

  /** The table is filled once, and drained often enough. */
  @Override
  int rounds(Entrant entrant) {
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
    contender.reset();
    bench().cleanUp(contender);
    drain("0", contender);
    contender.reset();
    contender.addHistory(sizes().history());
    bench().cleanUp(contender);
    drain(Integer.toString(sizes().history()), contender);
    contender.reset();
  }

  /** Once if events are left: those of another drain would have to wait for them. */
  private void drain(String variant, ContenderProcess contender) throws Exception {
    int drains =
        contender.entrant().isMain()
            ? sizes().drains()
            : Math.min(DRAINS_OF_PEERS, sizes().rounds());
    boolean isEmpty = true;
    for (int drain = 1; drain <= drains && isEmpty; drain++) {
      Drained drained =
          bench().drainOnTop(contender, sizes().smallBacklog(), Keys.SPREAD, sizes().smallLimit());
      note(variant, contender, drain, drained.metrics(), drained.text());
      isEmpty = drained.verdict().left() == 0;
      latency(variant, contender, drain);
    }
  }
}
