package dev.postcommit.testkit.explorer;

import static dev.postcommit.testkit.explorer.Mutations.assertFound;
import static dev.postcommit.testkit.explorer.Mutations.replace;

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
  @DisplayName("a writer that has its number before it waits for a dedupe key is found out")
  void dedupeWait() throws SQLException {
    assertFound(
        LogScenarios::dedupeKeys,
        log ->
            log.mutation(
                text ->
                    text.contains("taken AS (")
                        ? text.replace(
                                "WITH event AS (SELECT ",
                                "WITH event AS (SELECT nextval('postcommit_log_seq') AS taken_seq, ")
                            .replace(
                                "INSERT INTO \"postcommit_log\" (",
                                "INSERT INTO \"postcommit_log\" (seq, ")
                            .replaceFirst(
                                "\\)\\s+SELECT (\"id\".*) FROM event WHERE EXISTS",
                                ") OVERRIDING SYSTEM VALUE SELECT taken_seq, $1 FROM event WHERE EXISTS")
                        : text),
        LOST);
  }

  @Test
  @DisplayName("a key that is not kept closed for a released event is found out")
  void releasedEventsDoNotCloseTheirKey() throws SQLException {
    assertFound(
        LogScenarios::lanes, log -> log.wrapper(ForgottenClosings::of), "which was written first");
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
