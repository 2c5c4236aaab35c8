package dev.postcommit.testkit.explorer;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.explorer.outbox.NativeScenarios;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
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
}
