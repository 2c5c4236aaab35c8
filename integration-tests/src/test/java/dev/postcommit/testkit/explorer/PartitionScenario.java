package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.admin.PartitionsNow;
import dev.postcommit.testkit.explorer.log.LogRun;
import dev.postcommit.testkit.explorer.log.LogScenarios;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;

/** A relay makes the next partition of a log while others write and read. */
final class PartitionScenario {
  /** A number of the first partition from which on the second is made. */
  private static final long HALF_USED = 6_000_000;

  private PartitionScenario() {}

  static Scenario log() {
    return LogScenarios.maintenance()
        .before("SET lock_timeout = 0; DROP TABLE IF EXISTS postcommit_log_1")
        .before("SET lock_timeout = '20ms'")
        .actor("partitions", PartitionScenario::makePartition)
        .build();
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
