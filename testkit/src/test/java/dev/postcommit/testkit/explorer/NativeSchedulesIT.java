package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.explorer.outbox.NativeScenarios;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Schedules of {@link NativeScenarios}: none breaks a promise. */
class NativeSchedulesIT {
  private static final int SMALL = 2;
  private static final int FEWEST = 5;
  private static final int SCHEDULES = 30;

  @TestFactory
  Stream<DynamicTest> noScheduleOfASmallScenarioBreaksAPromise() {
    return NativeScenarios.all().stream()
        .limit(SMALL)
        .map(scenario -> dynamicTest(scenario.name(), () -> Schedules.all(scenario, FEWEST)));
  }

  @TestFactory
  Stream<DynamicTest> noRandomScheduleBreaksAPromise() {
    return NativeScenarios.all().stream()
        .skip(SMALL)
        .map(
            scenario ->
                dynamicTest(
                    scenario.name(), () -> Schedules.random(scenario, Schedules.SEED, SCHEDULES)));
  }

  /**
   * A relay without a session has claimed, and is taken over from before it has read the events.
   */
  @Test
  void whoIsTakenOverFromWhileItReadsHasACopyAndNoClaim() throws SQLException {
    Scenario scenario =
        NativeScenarios.all().stream()
            .filter(each -> each.name().equals("native-take-over"))
            .findFirst()
            .orElseThrow();
    try (Explorer explorer = Explorer.of(scenario)) {
      assertThat(explorer.again("leysllrssssssssr")).isEmpty();
    }
  }
}
