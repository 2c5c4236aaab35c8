package dev.postcommit.demo.run;

import java.time.Duration;
import java.util.Random;
import java.util.function.LongSupplier;

/** Kills a relay now and then, when there is something for it to be in the middle of. */
final class Killer {
  private static final Duration SHORTEST = Duration.ofMillis(800);
  private static final Duration LONGEST = Duration.ofMillis(2200);

  private final RelayFleet relays;
  private final LongSupplier lag;
  private final Random random;
  private long nextAt;

  /** A killer of relays that strikes while {@code lag}, the events under way, is not zero. */
  Killer(RelayFleet relays, LongSupplier lag, Random random) {
    this.relays = relays;
    this.lag = lag;
    this.random = random;
    plan();
  }

  /** Kills one relay if it is time and events are under way. */
  void maybeKill() {
    boolean isTime = System.nanoTime() - nextAt >= 0 && lag.getAsLong() > 0;
    if (isTime && relays.killOne(random)) {
      plan();
    }
  }

  private void plan() {
    nextAt = System.nanoTime() + random.nextLong(SHORTEST.toNanos(), LONGEST.toNanos());
  }
}
