package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.contract.Samples;
import java.util.List;

/** Scenarios on the native table, whose storage is claim records. */
public final class NativeScenarios {
  private NativeScenarios() {}

  /** Those with few schedules first, of which all can be played. */
  public static List<Scenario> all() {
    return builders().stream().<Scenario>map(OutboxScenario.Builder::build).toList();
  }

  private static List<OutboxScenario.Builder> builders() {
    ClaimStories stories = new ClaimStories("native", Samples.NATIVE);
    LeaseStories leases = new LeaseStories("native", Samples.NATIVE);
    return List.of(
        stories.smallest(),
        stories.relays(),
        stories.gate("postcommit_outbox_claim", "INSERT"),
        stories.writers(),
        stories.sessions(),
        stories.begun(),
        stories.dedupe(),
        stories.transactions(),
        stories.leases(),
        stories.cutOff(),
        stories.retries(),
        stories.dead(),
        stories.operators(),
        leases.lateSettlement(),
        leases.lastAttempts(),
        leases.scopes(),
        leases.floor(),
        leases.waiting(),
        leases.patience(),
        leases.takeOver(),
        leases.refused(),
        leases.takenOnLastAttempt());
  }
}
