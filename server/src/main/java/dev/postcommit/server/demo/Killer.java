package dev.postcommit.server.demo;

import dev.postcommit.testkit.Ledger;
import java.time.Duration;
import java.util.Random;

/** Kills a relay now and then, when there is something for it to be in the middle of. */
final class Killer {
  private static final Duration SHORTEST = Duration.ofMillis(800);
  private static final Duration LONGEST = Duration.ofMillis(2200);

  private final RelayFleet relays;
  private final Ledger ledger;
  private final Random random;
  private long nextAt;

  Killer(RelayFleet relays, Ledger ledger, Random random) {
    this.relays = relays;
    this.ledger = ledger;
    this.random = random;
    plan();
  }

  /** Kills one relay if it is time and events are under way. */
  void maybeKill() {
    if (System.nanoTime() - nextAt >= 0 && ledger.outstanding() > 0) {
      relays.killOne(random);
      plan();
    }
  }

  private void plan() {
    nextAt = System.nanoTime() + random.nextLong(SHORTEST.toNanos(), LONGEST.toNanos());
  }
}
