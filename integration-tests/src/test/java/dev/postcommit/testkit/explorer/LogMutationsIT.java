package dev.postcommit.testkit.explorer;

import static dev.postcommit.testkit.explorer.Mutations.assertFound;
import static dev.postcommit.testkit.explorer.Mutations.replace;

import dev.postcommit.testkit.explorer.log.DivertedScenarios;
import dev.postcommit.testkit.explorer.log.LogScenarios;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Faults of a log that are put back, and are found. */
@EnabledIfEnvironmentVariable(named = "POSTCOMMIT_TEST_ALL", matches = "true")
class LogMutationsIT {
  private static final String LOST = "was lost|as delivered, and it is not|has number";

  @Test
  @DisplayName("a relay that leads while sessions cache numbers is found out")
  void cachedNumbers() throws SQLException {
    assertFound(
        LogScenarios::cachedNumbers,
        log ->
            log.mutation(
                text ->
                    text.replace("s.seqcache <> 1 OR", "")
                        .replace("t.xid >= r.first", "false AND t.xid >= r.first")),
        LOST);
  }

  @Test
  @DisplayName("a relay that leads before a restore is complete is found out")
  void restore() throws SQLException {
    assertFound(
        LogScenarios::restore,
        log -> log.mutation(replace("AND i.indisprimary AND i.indisvalid", "")),
        LOST);
  }

  @Test
  @DisplayName("a number that is taken before the wait for a dedupe key is found out")
  void numberBeforeTheWait() throws SQLException {
    assertFound(
        LogScenarios::dedupeKeys,
        log ->
            log.setUp(
                    "ALTER TABLE postcommit_log_dedupe ALTER xid DROP DEFAULT, ALTER xid DROP NOT NULL")
                .mutation(LogMutationsIT::numbered),
        LOST);
  }

  /** Has an insert take its number with its values, and so before its dedupe key. */
  private static String numbered(String text) {
    return text.replace(
            "WITH event AS (SELECT ",
            "WITH event AS MATERIALIZED (SELECT nextval('postcommit_log_seq') AS seq, ")
        .replaceFirst(
            "INSERT INTO \"postcommit_log\" \\((.*)\\)\\s+SELECT (.*) FROM event",
            "INSERT INTO \"postcommit_log\" (seq, $1) OVERRIDING SYSTEM VALUE SELECT seq, $2 FROM event");
  }

  @Test
  @DisplayName("a key that stays open for an event that was released and diverted is found out")
  void forgottenClosings() throws SQLException {
    assertFound(
        DivertedScenarios::outageInReplay,
        log -> log.wrapper(ForgottenClosings::of),
        "which was written first");
  }

  @Test
  @DisplayName("statements that commit by themselves, instead of together, are found out")
  void split() throws SQLException {
    // Without its transaction a page finds no snapshot, and fails; so that is left in the session.
    assertFound(
        DivertedScenarios::gate,
        log ->
            log.mutation(
                text ->
                    Mutation.split().apply(text).replace("AS text)), true)", "AS text)), false)")),
        "while relay-. works on it");
  }

  @Test
  @DisplayName("a leader that is taken for gone though its session is there is found out")
  void takenForGone() throws SQLException {
    assertFound(
        LogScenarios::takenOver,
        log ->
            log.mutation(
                replace("r.server_started_at = pg_postmaster_start_time() AND", "true OR")),
        "while relay-. works on it");
  }

  @Test
  @DisplayName("keys of which diverted events wait and that are not told are found out")
  void waitingKeysAreNotTold() throws SQLException {
    assertFound(
        LogScenarios::retries,
        log -> log.mutation(replace("d.status = 'pending' AND (d.due_at", "false AND (d.due_at")),
        "which was written first");
  }

  @Test
  @DisplayName("a floor that is one too high is found out")
  void floorTooHigh() throws SQLException {
    assertFound(
        LogScenarios::lateCommits,
        log ->
            log.mutation(
                replace("SELECT last_value - CASE WHEN", "SELECT last_value + 1 - CASE WHEN")),
        LOST);
  }

  @Test
  @DisplayName("stragglers that are left out are found out")
  void stragglersAreLeftOut() throws SQLException {
    assertFound(
        LogScenarios::lateCommits,
        log ->
            log.mutation(replace("WHERE xid = ANY (ARRAY(", "WHERE false AND xid = ANY (ARRAY(")),
        LOST);
  }

  @Test
  @DisplayName("a relay that leads while another does is found out")
  void twoLeaders() throws SQLException {
    assertFound(
        LogScenarios::handover,
        log ->
            log.mutation(
                replace(
                    "OR c.until < clock_timestamp()", "OR c.until < clock_timestamp() OR true")),
        "while relay-. works on it");
  }
}
