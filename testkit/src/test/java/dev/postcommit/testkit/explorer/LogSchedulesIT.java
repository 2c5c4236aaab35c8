package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.admin.PartitionsNow;
import dev.postcommit.testkit.explorer.log.LogRun;
import dev.postcommit.testkit.explorer.log.LogScenarios;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
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
  private static final int SCHEDULES = 30;

  /** A number of the first partition from which on the second is made. */
  private static final long HALF_USED = 6_000_000;

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

  @Test
  @DisplayName("R1, R5: a log loses and reorders nothing while a relay makes its next partition")
  void partitions() throws SQLException {
    Schedules.random(
        LogScenarios.maintenance()
            .before("SET lock_timeout = 0; DROP TABLE IF EXISTS postcommit_log_1")
            .before("SET lock_timeout = '20ms'")
            .actor("partitions", LogSchedulesIT::makePartition)
            .build(),
        SEED,
        SCHEDULES);
  }

  /** It waits as long as the schedule says, where a relay gives up and tries again. */
  private static void makePartition(LogRun run, Stage.Role self) throws SQLException {
    try (Connection connection =
        self.connections(text -> text.replace("'50ms'", "'20s'").replace("'90ms'", "'20s'"))
            .getConnection()) {
      assertThat(PartitionsNow.extend(connection, run.layout(), HALF_USED)).isEqualTo(20_000_000);
    }
  }
}
