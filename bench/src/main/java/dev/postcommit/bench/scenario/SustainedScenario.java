package dev.postcommit.bench.scenario;

import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.Bisection;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Entrant.Kind;
import dev.postcommit.bench.measure.Loaded;
import dev.postcommit.bench.measure.Progress;
import java.time.Duration;
import java.util.Map;

/**
 * Finds the highest rate at which neither writers fall behind nor events pile up: doubles it until
 * one does, then narrows it down.
 */
final class SustainedScenario extends Scenario {
  private static final int FIRST = 4_000;
  private static final int HIGHEST = 64_000;

  /** How late writers may be with an event, and the relay with the last one. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  SustainedScenario(Bench bench, Progress progress) {
    super("sustained", bench, progress);
  }

  @Override
  public int rounds(Entrant entrant) {
    boolean isAsked = entrant.isMainOrPeer() || entrant.id().equals(Entrant.PLAIN_INSERT);
    return isAsked ? sizes().fewerRounds() : 0;
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    contender.reset();
    contender.start();
    double rate =
        Bisection.highest(
            FIRST, HIGHEST, sizes().bisections(), candidate -> isHeld(contender, candidate));
    contender.stop();
    note("", contender, round, Map.of("events_per_second", rate), "%,.0f events/s".formatted(rate));
  }

  private boolean isHeld(ContenderProcess contender, int rate) throws Exception {
    boolean writesOnly = contender.entrant().kind() == Kind.LIMIT;
    Loaded loaded = bench().load(contender, rate, sizes().probeSeconds(), PATIENCE);
    boolean held = loaded.isWritten() && (writesOnly || loaded.verdict().left() == 0);
    if (!held) {
      // so that the next attempt does not start with the rest of this one
      contender.stop();
      contender.reset();
      contender.start();
    }
    return held;
  }
}
