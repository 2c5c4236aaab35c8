package dev.postcommit.testkit.explorer.oracle;

import dev.postcommit.testkit.explorer.scenario.Stage;

/**
 * What had happened before the first statement of a claim. A lease that ends after that may be the
 * claim's own, even if its events are still being read.
 */
public final class ClaimStart {
  private final History history;
  private final String relay;
  private volatile long leases;
  private volatile int takeOvers;

  private ClaimStart(History history, String relay) {
    this.history = history;
    this.relay = relay;
    look();
  }

  /** Call it before the claim. */
  public static ClaimStart of(History history, Stage.Role relay) {
    ClaimStart start = new ClaimStart(history, relay.name());
    relay.atNextStep(start::look);
    return start;
  }

  private void look() {
    leases = history.leases();
    takeOvers = history.takeOvers(relay);
  }

  /** How often all leases had ended. */
  public long leases() {
    return leases;
  }

  /** How often the relay had been taken over from. */
  int takeOvers() {
    return takeOvers;
  }
}
