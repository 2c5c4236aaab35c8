package dev.postcommit.testkit.explorer;

import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A log keeps its promises in whatever order its writers, relays and operators take their steps.
 */
class LogSchedulesIT {
  private static final long SEED = 20;
  private static final int SCHEDULES = 20;

  @Test
  @DisplayName("R1, R5: a log loses and reorders nothing in any order of a small scenario's steps")
  void small() throws SQLException {
    Schedules.all(LogScenarios.small().build(), 50);
  }

  @TestFactory
  @DisplayName("R1, R5: a log loses and reorders nothing in random orders of steps")
  Stream<DynamicTest> random() {
    return LogScenarios.all().stream()
        .skip(1)
        .map(
            scenario ->
                DynamicTest.dynamicTest(
                    scenario.name(), () -> Schedules.random(scenario, SEED, SCHEDULES)));
  }
}
