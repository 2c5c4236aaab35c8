package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.explorer.Explorer.Report;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.sql.SQLException;

/** Plays scenarios as much as a build allows, or as much as it is told. */
final class Schedules {
  /** For scenarios that need no seed of their own. */
  static final long SEED = 1;

  private static final int MOST = 2_000;

  private Schedules() {}

  /** Plays all schedules of a small scenario, of which there are more than {@code least}. */
  static void all(Scenario scenario, int least) throws SQLException {
    try (Explorer explorer = Explorer.of(scenario)) {
      Report report = explorer.all(MOST);
      print(report);
      report.requireNone();
      assertThat(report.isComplete()).as("all schedules").isTrue();
      assertThat(report.schedules()).isGreaterThan(least);
    }
  }

  /**
   * Plays random schedules: so many, or as many as the property {@code explorer.schedules} says.
   */
  static void random(Scenario scenario, long seed, int schedules) throws SQLException {
    int played = Integer.getInteger("explorer.schedules", schedules);
    try (Explorer explorer = Explorer.of(scenario)) {
      Report report = explorer.random(seed, played);
      print(report);
      report.requireNone();
      assertThat(report.schedules()).isEqualTo(played);
    }
  }

  /** Prints what was played, for docs/trust.md. */
  static void print(Report report) {
    System.out.printf(
        "schedules | %s | %d | %d ms%n",
        report.scenario(), report.schedules(), report.took().toMillis());
  }
}
