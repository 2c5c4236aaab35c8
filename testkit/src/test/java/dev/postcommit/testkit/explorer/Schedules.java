package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.explorer.Explorer.Report;
import java.sql.SQLException;

/** Plays scenarios as much as a build allows, or as much as it is told. */
final class Schedules {
  private static final long SEED = 1;
  private static final int MOST = 2_000;

  private Schedules() {}

  /** Plays all schedules of a small scenario. */
  static void all(Scenario scenario) throws SQLException {
    try (Explorer explorer = Explorer.of(scenario)) {
      Report report = explorer.all(MOST);
      report.requireNone();
      assertThat(report.isComplete()).isTrue();
      assertThat(report.schedules()).isGreaterThan(5);
    }
  }

  /**
   * Plays random schedules: so many, or as many as the property {@code explorer.schedules} says.
   */
  static void random(Scenario scenario, int schedules) throws SQLException {
    int played = Integer.getInteger("explorer.schedules", schedules);
    try (Explorer explorer = Explorer.of(scenario)) {
      Report report = explorer.random(SEED, played);
      report.requireNone();
      assertThat(report.schedules()).isEqualTo(played);
    }
  }
}
