package dev.postcommit.demo.run;

import java.time.Duration;
import java.util.Random;
import java.util.function.LongSupplier;

/** Kills a relay from time to time while events are in flight. */
final class Killer {
  private static final Duration SHORTEST = Duration.ofMillis(800);
  private static final Duration LONGEST = Duration.ofMillis(2200);

  private final RelayFleet relays;
  private final LongSupplier lag;
  private final Random random;
  private long nextAt;

  /**
   * Creates a killer that acts only while {@code lag}, the number of events in flight, is not 0.
   */
  Killer(RelayFleet relays, LongSupplier lag, Random random) {
    this.relays = relays;
    this.lag = lag;
    this.random = random;
    plan();
  }

  /** Kills one relay if it is time and events are in flight. */
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
