package dev.postcommit.testkit.explorer;

import static dev.postcommit.testkit.explorer.Mutations.assertFound;
import static dev.postcommit.testkit.explorer.Mutations.replace;

import dev.postcommit.testkit.explorer.log.ExactlyOnceScenarios;
import dev.postcommit.testkit.explorer.log.ModelBroker.Fault;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Faults of a log whose checkpoint a broker keeps, which are put in and found. */
@EnabledIfEnvironmentVariable(named = "POSTCOMMIT_TEST_ALL", matches = "true")
class ExactlyOnceMutationsIT {
  private static final String TWICE = "was delivered twice";

  @Test
  @DisplayName("a checkpoint that is read before older producers are fenced is found out")
  void checkpointIsReadTooEarly() throws SQLException {
    assertFound(
        ExactlyOnceScenarios::handover, log -> log.brokerFault(Fault.READS_BEFORE_FENCING), TWICE);
  }

  @Test
  @DisplayName("producers that do not fence each other are found out")
  void nobodyIsFenced() throws SQLException {
    assertFound(ExactlyOnceScenarios::competing, log -> log.brokerFault(Fault.NEVER_FENCES), TWICE);
  }

  @Test
  @DisplayName("a relay that goes by the cursor instead of the checkpoint is found out")
  void cursorInsteadOfTheCheckpoint() throws SQLException {
    assertFound(
        ExactlyOnceScenarios::silence, log -> log.brokerFault(Fault.FORGETS_CHECKPOINTS), TWICE);
  }

  @Test
  @DisplayName("events that are settled as delivered without a checkpoint are found out")
  void settledWithoutACheckpoint() throws SQLException {
    assertFound(
        ExactlyOnceScenarios::outage,
        log -> log.brokerFault(Fault.TAKES_SILENCE_FOR_SUCCESS),
        "was lost|as delivered, and it is not");
  }

  @Test
  @DisplayName("rows that are read from a number on, instead of above it, are found out")
  void fromInsteadOfAbove() throws SQLException {
    assertFound(
        ExactlyOnceScenarios::leadersInTurn,
        log ->
            log.mutation(
                replace(
                    "WHERE \"seq\" > ? AND NOT pg_visible",
                    "WHERE \"seq\" >= ? AND NOT pg_visible")),
        TWICE);
  }

  @Test
  @DisplayName("a cursor that is moved without the fence is found out")
  void movedWithoutTheFence() throws SQLException {
    assertFound(
        ExactlyOnceScenarios::competing,
        log ->
            log.mutation(
                text ->
                    text.contains("floor = ?, seen = ")
                        ? text.replace(
                            "c.owner = CAST(? AS uuid) AND c.fence = ?",
                            "CAST(? AS uuid) IS NOT NULL AND CAST(? AS bigint) IS NOT NULL")
                        : text),
        TWICE);
  }
}
