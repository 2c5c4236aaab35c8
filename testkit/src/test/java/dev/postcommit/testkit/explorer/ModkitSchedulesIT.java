package dev.postcommit.testkit.explorer;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.explorer.outbox.ModkitScenarios;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Schedules of {@link ModkitScenarios}: none breaks a promise. */
class ModkitSchedulesIT {
  private static final int SMALL = 2;
  private static final int FEWEST = 5;
  private static final int SCHEDULES = 30;

  @TestFactory
  Stream<DynamicTest> noScheduleOfASmallScenarioBreaksAPromise() {
    return ModkitScenarios.all().stream()
        .limit(SMALL)
        .map(scenario -> dynamicTest(scenario.name(), () -> Schedules.all(scenario, FEWEST)));
  }

  @TestFactory
  Stream<DynamicTest> noRandomScheduleBreaksAPromise() {
    return ModkitScenarios.all().stream()
        .skip(SMALL)
        .map(
            scenario ->
                dynamicTest(
                    scenario.name(), () -> Schedules.random(scenario, Schedules.SEED, SCHEDULES)));
  }
}
