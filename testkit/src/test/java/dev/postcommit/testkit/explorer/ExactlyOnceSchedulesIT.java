package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.log.ExactlyOnceScenarios;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A log whose checkpoint a broker keeps delivers each event once, in whatever order steps are
 * taken.
 */
class ExactlyOnceSchedulesIT {
  private static final long SEED = 21;
  private static final int SCHEDULES = 40;

  @Test
  @DisplayName("R40: each event arrives once in any order of a small scenario's steps")
  void small() throws SQLException {
    Schedules.all(ExactlyOnceScenarios.small().build(), 10);
  }

  /** The search found a floor here that was too high, and events that arrived twice later on. */
  @Test
  @DisplayName("R40: a relay that leads again from the middle of a window takes nothing for missed")
  void leadsAgain() throws SQLException {
    try (Explorer explorer = Explorer.of(ExactlyOnceScenarios.leadsAgain().build())) {
      explorer.random(1, 200).requireNone();
    }
  }

  @TestFactory
  @DisplayName("R40: each event arrives once in random orders of steps")
  Stream<DynamicTest> random() {
    return ExactlyOnceScenarios.all().stream()
        .skip(1)
        .map(
            scenario ->
                DynamicTest.dynamicTest(
                    scenario.name(), () -> Schedules.random(scenario, SEED, SCHEDULES)));
  }
}
