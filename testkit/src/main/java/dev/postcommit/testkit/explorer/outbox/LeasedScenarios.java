package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.util.List;
import java.util.stream.Stream;

/** The scenarios of storage whose claims are short transactions and last as long as a lease. */
final class LeasedScenarios {
  private LeasedScenarios() {}

  /**
   * Those of a layout; those with few schedules first, of which all can be played.
   *
   * @param claimed the table that a claim writes
   * @param by the statement by which it does
   */
  static List<Scenario> of(String name, LayoutSample sample, String claimed, String by) {
    ClaimStories stories = new ClaimStories(name, sample);
    LeaseStories leases = new LeaseStories(name, sample);
    return Stream.of(
            stories.smallest(),
            stories.relays(),
            stories.gate(claimed, by),
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
            leases.settlementAfterReplay(),
            leases.settlementOfOwnLease(),
            leases.lastAttempts(),
            leases.scopes(),
            leases.floor(),
            leases.waiting(),
            leases.patience(),
            leases.takeOver(),
            leases.refused(),
            leases.takenOnLastAttempt())
        .<Scenario>map(OutboxScenario.Builder::build)
        .toList();
  }
}
