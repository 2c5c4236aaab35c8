package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.explorer.Explorer.Report;
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
    try (Explorer explorer = Explorer.of(LogScenarios.small().build())) {
      Report report = explorer.all(2_000);
      report.requireNone();
      assertThat(report.isComplete()).as("all schedules").isTrue();
      assertThat(report.schedules()).isGreaterThan(50);
    }
  }

  @TestFactory
  @DisplayName("R1, R5: a log loses and reorders nothing in random orders of steps")
  Stream<DynamicTest> random() {
    return LogScenarios.all().stream()
        .skip(1)
        .map(scenario -> DynamicTest.dynamicTest(scenario.name(), () -> play(scenario)));
  }

  private static void play(Scenario scenario) throws SQLException {
    try (Explorer explorer = Explorer.of(scenario)) {
      Report report = explorer.random(SEED, SCHEDULES);
      report.requireNone();
      assertThat(report.schedules()).isEqualTo(SCHEDULES);
    }
  }
}
