package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.util.List;

/** Scenarios on the modkit table, whose storage is leases on rows. */
public final class ModkitScenarios {
  private ModkitScenarios() {}

  /** Those with few schedules first, of which all can be played. */
  public static List<Scenario> all() {
    return LeasedScenarios.of("modkit", Samples.MODKIT, "modkit_outbox_events", "UPDATE");
  }
}
