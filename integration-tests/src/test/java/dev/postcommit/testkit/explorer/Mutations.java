package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.explorer.Explorer.Report;
import dev.postcommit.testkit.explorer.log.LogScenarioBuilder;
import java.sql.SQLException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Shows that faults that are put into a scenario are found. */
final class Mutations {
  private static final long SEED = 1;
  private static final long MOST = 5_000;
  private static final long WITHOUT = 40;

  private Mutations() {}

  /** Replaces a part of those statements that have it. */
  static UnaryOperator<String> replace(String part, String by) {
    return text -> text.replace(part, by);
  }

  /**
   * The scenario fails with the mutation, and does not without.
   *
   * @param words what the failure is about
   */
  static void assertFound(
      Supplier<LogScenarioBuilder> scenario,
      UnaryOperator<LogScenarioBuilder> mutation,
      String words)
      throws SQLException {
    try (Explorer sound = Explorer.of(scenario.get().build())) {
      sound.random(SEED, WITHOUT).requireNone();
    }
    try (Explorer faulty = Explorer.of(mutation.apply(scenario.get()).build()).shrinking(0)) {
      Report report = faulty.random(SEED, MOST);
      assertThat(report.failure()).as("the fault is found").isPresent();
      System.out.printf(
          "%s: found after %d schedules in %d ms: %s%n",
          report.scenario(),
          report.failure().get().after(),
          report.took().toMillis(),
          report.failure().get().problem());
      assertThat(report.failure().get().problem()).containsPattern(words);
    }
  }
}
