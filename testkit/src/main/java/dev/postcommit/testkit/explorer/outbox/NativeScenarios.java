package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.util.List;

/** Scenarios on the native table, whose storage is claim records. */
public final class NativeScenarios {
  private NativeScenarios() {}

  /** Those with few schedules first, of which all can be played. */
  public static List<Scenario> all() {
    return LeasedScenarios.of("native", Samples.NATIVE, "postcommit_outbox_claim", "INSERT");
  }
}
