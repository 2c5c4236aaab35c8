package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.explorer.Explorer.Report;
import dev.postcommit.testkit.explorer.inbox.InboxScenario;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows that a fault is found by itself, and that nothing is found without it. */
final class InboxMutations {
  private static final Logger log = LoggerFactory.getLogger(InboxMutations.class);
  private static final long SEED = 1;
  private static final int MOST = 5_000;
  private static final int WITHOUT = 50;

  private InboxMutations() {}

  /** Plays random schedules with a fault until it is found, and at least as many without it. */
  static void assertIsFound(String fault, InboxScenario with, InboxScenario without)
      throws SQLException {
    assertIsFound(fault, with, without, (explorer, most) -> explorer.random(SEED, most));
  }

  /** The same with all schedules, one after the other. */
  static void assertIsFoundInOrder(String fault, InboxScenario with, InboxScenario without)
      throws SQLException {
    assertIsFound(fault, with, without, Explorer::all);
  }

  /** A way to search. */
  @FunctionalInterface
  private interface Search {
    Report play(Explorer explorer, long most) throws SQLException;
  }

  private static void assertIsFound(
      String fault, InboxScenario with, InboxScenario without, Search search) throws SQLException {
    long after;
    try (Explorer explorer = Explorer.of(with)) {
      Report report = search.play(explorer, MOST);
      assertThat(report.failure()).as(fault).isPresent();
      after = report.schedules();
      log.info(
          "{}: found after {} schedules: {}",
          fault,
          after,
          report.failure().map(Explorer.Failure::problem).orElse(""));
    }
    try (Explorer explorer = Explorer.of(without)) {
      search.play(explorer, Math.max(after, WITHOUT)).requireNone();
    }
  }
}
