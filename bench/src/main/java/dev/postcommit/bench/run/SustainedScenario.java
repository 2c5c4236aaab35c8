package dev.postcommit.bench.run;

import dev.postcommit.bench.run.Entrant.Kind;
import java.time.Duration;
import java.util.Map;

/**
 * The highest rate at which neither writers fall behind nor events pile up: doubled until one does,
 * then narrowed down.
 */
final class SustainedScenario extends Scenario {
  private static final int FIRST = 2_000;
  private static final int HIGHEST = 64_000;
  private static final double LATENESS = 1;
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  SustainedScenario(Bench bench, Progress progress) {
    super("sustained", bench, progress);
  }

  @Override
  boolean asks(Entrant entrant) {
    return entrant.isReferenceOrPeer() || entrant.id().equals(Entrant.PLAIN_INSERT);
  }

  @Override
  int rounds() {
    return sizes().roundsOfLongOnes();
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
    Loaded loaded =
        bench()
            .load(contender, rate, sizes().probeSeconds(), writesOnly ? Duration.ZERO : PATIENCE);
    boolean held = loaded.lateness() < LATENESS && (writesOnly || loaded.verdict().left() == 0);
    if (!held) {
      // The next attempt is not to bear what this one left behind.
      contender.stop();
      contender.reset();
      contender.start();
    }
    return held;
  }
}
