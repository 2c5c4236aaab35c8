package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.explorer.Explorer.Report;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Consumers whose marks are in Redis keep their promises in every order of steps. */
class RedisSchedulesIT {
  private static final long SEED = 20_261_118;
  private static final int MOST = 1500;
  private static final int RANDOM = 70;

  @Test
  void consumersKeepTheirPromisesInEveryOrder() throws SQLException {
    long played = 0;
    for (Scenario scenario : RedisScenarios.small()) {
      try (Explorer explorer = Explorer.of(scenario)) {
        Report report = explorer.all(MOST);
        Schedules.print(report);
        report.requireNone();
        assertThat(report.isComplete()).as(scenario.name()).isTrue();
        played += report.schedules();
      }
    }
    for (Scenario scenario : RedisScenarios.large()) {
      try (Explorer explorer = Explorer.of(scenario)) {
        Report report = explorer.random(SEED, RANDOM);
        Schedules.print(report);
        report.requireNone();
        played += report.schedules();
      }
    }
    assertThat(played).isGreaterThanOrEqualTo(1000);
  }
}
