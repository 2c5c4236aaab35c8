package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.measure.Backlog;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Drained;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;
import java.util.HashSet;
import java.util.Set;

/** A scenario that drains backlogs, each in an empty table. */
abstract class BacklogScenario extends Scenario {
  /** Contenders and variants that left events behind; they are not measured again. */
  private final Set<String> slow = new HashSet<>();

  BacklogScenario(String id, Bench bench, Progress progress) {
    super(id, bench, progress);
  }

  @Override
  public final int rounds(Entrant entrant) {
    return Math.min(super.rounds(entrant), sizes().fewerRounds());
  }

  final boolean isSlow(ContenderProcess contender, String variant) {
    return slow.contains(contender.entrant().id() + " " + variant);
  }

  /** Writes a backlog to an empty table, drains it, and keeps the results. */
  final void drain(
      ContenderProcess contender, String variant, Backlog backlog, Keys keys, int round)
      throws Exception {
    keep(contender, variant, bench().drainOnTop(contender, backlog, keys), round);
  }

  /** Keeps the results of a drain. */
  final void keep(ContenderProcess contender, String variant, Drained drained, int round) {
    note(variant, contender, round, drained.metrics(), drained.text());
    if (drained.verdict().left() > 0) {
      slow.add(contender.entrant().id() + " " + variant);
    }
  }
}
