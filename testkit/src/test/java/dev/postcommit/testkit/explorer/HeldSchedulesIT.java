package dev.postcommit.testkit.explorer;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.explorer.outbox.HeldScenarios;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Schedules of {@link HeldScenarios}: none breaks a promise. */
class HeldSchedulesIT {
  private static final int SMALL = 2;
  private static final int FEWEST = 5;
  private static final int SCHEDULES = 30;

  /** Each of the three layouts plays some of the scenarios, so that each is played on one. */
  private static final int LAYOUTS = 3;

  @TestFactory
  Stream<DynamicTest> noScheduleOfASmallScenarioBreaksAPromise() {
    return HeldScenarios.all().stream()
        .limit(SMALL)
        .map(scenario -> dynamicTest(scenario.name(), () -> Schedules.all(scenario, FEWEST)));
  }

  @TestFactory
  Stream<DynamicTest> noRandomScheduleBreaksAPromise() {
    List<Scenario> large = HeldScenarios.all().stream().skip(SMALL).toList();
    return IntStream.range(0, large.size())
        .filter(i -> i % LAYOUTS == 0)
        .mapToObj(large::get)
        .map(
            scenario ->
                dynamicTest(
                    scenario.name(), () -> Schedules.random(scenario, Schedules.SEED, SCHEDULES)));
  }
}
